import type { ServerResponse } from 'node:http';
import { setInterval } from 'node:timers';
import { flood, Receiver } from '@action-platform/testing';

const GIGABYTE = 2 ** 30;
const CHUNK = Buffer.alloc(64 * 1024);
const HEADER = `x: ${'a'.repeat(8_000)}\r\n`;
const HEADERS_BYTES = 9_000_000;

/** How an endpoint misbehaves. */
export const misbehaviours = {
  'never answers': () => {},
  'answers a byte each second': (response: ServerResponse) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 1_000);
    response.once('close', () => clearInterval(timer));
  },
  'answers with 500': (response: ServerResponse) => response.writeHead(500).end(),
  redirects: (response: ServerResponse) => response.writeHead(302, { location: '/elsewhere' }).end(),
  'answers with a gigabyte': (response: ServerResponse) => {
    response.writeHead(200);
    let sent = 0;
    const send = () => {
      while (sent < GIGABYTE) {
        sent += CHUNK.length;
        if (!response.write(CHUNK)) return response.once('drain', send);
      }
      return response.end();
    };
    send();
  },
  'answers 101': (response: ServerResponse) =>
    response.socket!.write(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: none\r\n\r\n',
    ),
  'closes the connection': (response: ServerResponse) => response.socket!.destroy(),
  'answers 103 without end': (response: ServerResponse) =>
    flood(response.socket!, 'HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n'),
  'answers with 9 MB of headers': (response: ServerResponse) =>
    response.socket!.write(
      `HTTP/1.1 200 OK\r\n${HEADER.repeat(HEADERS_BYTES / HEADER.length)}Content-Length: 0\r\n\r\n`,
    ),
} as const satisfies Record<string, (response: ServerResponse) => unknown>;

/** Starts an endpoint that misbehaves in each way, and one that is not there. */
export async function startBadEndpoints(): Promise<Receiver[]> {
  const absent = await Receiver.start();
  absent.stop();
  const misbehaving = Object.values(misbehaviours).map((misbehave) =>
    Receiver.start((_received, response) => misbehave(response)),
  );
  return [...(await Promise.all(misbehaving)), absent];
}
