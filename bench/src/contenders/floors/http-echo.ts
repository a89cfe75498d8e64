/** The least that HTTP can cost: node:http reads a body and answers with it. */
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(Buffer.concat(chunks));
  });
}).listen(Number(process.env.PORT), '127.0.0.1');

process.once('SIGTERM', () => server.close().closeAllConnections());
