/** Sends bodies that take memory, a process of its own. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { serveJobs } from '../../environment/worker.ts';
import { ConnectionPool } from '../load/connection-pool.ts';

/** One request, sent over and over on many connections. */
export interface BodyAttack {
  readonly origin: string;
  readonly token: string;
  readonly path: string;
  readonly body: string;
  readonly connections: number;
  /** Whether each body stays one byte short, so that the gateway never serves it. */
  readonly isHeld?: boolean;
  readonly seconds: number;
}

/** The count of each outcome: a status, or the code of a failure. */
export type Outcomes = Record<string, number>;

/** The pause before a refused connection is retried, in milliseconds, as of an impatient client. */
const AGAIN_MS = 50;

serveJobs(async (attack: BodyAttack): Promise<Outcomes> => {
  const outcomes: Outcomes = {};
  const count = (outcome: string) => {
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  };
  const end = performance.now() + attack.seconds * 1000;
  const client = attack.isHeld ? holding(attack) : calling(attack);
  await Promise.all(
    Array.from({ length: attack.connections }, async () => {
      while (performance.now() < end) {
        const outcome = await client(end);
        count(outcome);
        if (outcome !== '200') await delay(AGAIN_MS);
      }
    }),
  );
  return outcomes;
});

type Client = (end: number) => Promise<string>;

function calling({ origin, token, path, body, connections }: BodyAttack): Client {
  const pool = new ConnectionPool(origin, connections, 'warm');
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const bytes = Buffer.from(body);
  return () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    pool.send({ weight: 1, method: 'POST', path, bodies: [] }, headers, bytes, {
      onSent: () => {},
      onAnswer: (status) => resolve(String(status)),
      onFailure: resolve,
    });
    return promise;
  };
}

function holding({ origin, token, path, body }: BodyAttack): Client {
  const { hostname, port } = new URL(origin);
  const bytes = Buffer.from(body);
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: gateway',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${bytes.length}`,
  ];
  return async (end) => {
    const socket: Socket = connect(Number(port), hostname);
    let answer = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      answer += text;
    });
    socket.on('error', () => {});
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.write(bytes.subarray(0, -1));
    const over = setTimeout(() => socket.destroy(), Math.max(1, end - performance.now()));
    if (!socket.closed) await once(socket, 'close');
    clearTimeout(over);
    return answer.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length) || 'held';
  };
}
