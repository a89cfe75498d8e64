import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** A reverse proxy in front of a gateway. */
export interface RecordingProxy {
  /** The URL of /mcp through it. */
  readonly url: string;
  /** The body of the last answer, as the gateway sent it. */
  lastAnswer(): string;
  close(): Promise<void>;
}

/**
 * Starts a proxy on this machine. The proxy adds a bearer token to requests without a credential, for programs that cannot send one, and
 * keeps the last answer, so that a test can compare what a client reports with what the gateway sent.
 */
export async function startProxy(baseUrl: string, token: string): Promise<RecordingProxy> {
  let last = '';
  const forward = async (asked: IncomingMessage, answer: ServerResponse) => {
    const headers = { authorization: `Bearer ${token}`, ...asked.headers };
    const sent = request(`${baseUrl}${asked.url}`, { method: asked.method!, headers });
    sent.end(await buffer(asked));
    const [received] = (await once(sent, 'response')) as [IncomingMessage];
    const body = await buffer(received);
    last = body.toString();
    answer.writeHead(received.statusCode!, received.headers).end(body);
  };
  const server = createServer((asked, answer) => {
    forward(asked, answer).catch((error: Error) => answer.writeHead(502).end(error.message));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    lastAnswer: () => last,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
