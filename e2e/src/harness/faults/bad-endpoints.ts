import type { ServerResponse } from 'node:http';
import { setInterval } from 'node:timers';
import { Receiver } from '@action-platform/testing';

const GIGABYTE = 2 ** 30;
const CHUNK = Buffer.alloc(64 * 1024);

/** How an endpoint misbehaves. */
const misbehaviours = {
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
} as const satisfies Record<string, (response: ServerResponse) => unknown>;

/** Starts an endpoint that misbehaves in each way, and one that is not there. */
export async function startBadEndpoints(): Promise<Receiver[]> {
  const answers = Object.values(misbehaviours);
  const absent = await Receiver.start();
  absent.stop();
  return [
    ...(await Promise.all(
      answers.map((answer) => Receiver.start((_received, response) => answer(response))),
    )),
    absent,
  ];
}
