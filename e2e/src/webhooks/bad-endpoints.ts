import type { ServerResponse } from 'node:http';
import { setInterval } from 'node:timers';
import { Receiver } from './receiver.ts';

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
} as const satisfies Record<string, (response: ServerResponse) => unknown>;

/** Starts endpoints that misbehave in every way. @param each of each kind. */
export async function startBadEndpoints(each: number): Promise<Receiver[]> {
  const kinds = Object.values(misbehaviours).flatMap((answer) => Array.from({ length: each }, () => answer));
  return await Promise.all(kinds.map((answer) => Receiver.start((_received, response) => answer(response))));
}
