/** Receives OTLP exports over HTTP, as a collector would, and discards them. */
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end());
}).listen(Number(process.env.PORT), '127.0.0.1');

process.once('SIGTERM', () => server.close().closeAllConnections());
