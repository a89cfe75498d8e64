import { Receiver } from '@action-platform/testing';
import { afterAll, expect, test } from '@jest/globals';
import { Client } from './client.ts';
import type { Fixture } from './fixture.ts';
import { Session } from './session.ts';

const stops: (() => unknown)[] = [];
afterAll(() => {
  for (const stop of stops) stop();
});

/** A gateway that answers each call with the next of these statuses, and at last with the Record. */
async function gateway(...statuses: readonly number[]): Promise<Receiver> {
  const receiver = await Receiver.start((_received, response) => {
    const status = statuses[receiver.received.length - 1] ?? 200;
    const error = { code: status === 503 ? 'action_platform_unavailable' : 'broken' };
    const record = { id: 'a', version: 1, payload: { write: 'push', base: 'push' } };
    response.writeHead(status).end(JSON.stringify(status === 200 ? { result: { record } } : { error }));
  });
  stops.push(() => receiver.stop());
  return receiver;
}

test('a client that gives up has recovered once the platform serves it again', async () => {
  const { url, received } = await gateway(...Array<number>(20).fill(503));
  const fixture = {
    ...{ url, owners: [{ token: 't' }], records: ['a'], collections: ['c'], places: new Map([['a', 'c']]) },
    ...{ recent: [], files: [], entries: [], limited: {} },
  } as unknown as Fixture;
  // The first step of this seed gives up.
  const seed = 7;
  const client = new Client(0, fixture, {
    clients: 1,
    weights: { get: 1 },
    seed,
    givesUp: true,
    restMs: 1,
  });
  await client.recovery(0);
  const asked = received.length;
  await client.stop();
  expect(asked).toBeGreaterThan(20);
});

test('after a status from 500 other than 503 the outcome is unknown', async () => {
  const { url } = await gateway(500, 504, 401);
  const session = new Session(url, 't');
  stops.push(() => session.close());
  const request = { path: '/', read: () => ({}) };
  expect((await session.ask(request, true)).outcome).toEqual({ is: 'unknown' });
  const { outcome, attempts } = await session.ask(request);
  expect(attempts.map(({ status }) => status)).toEqual([504, 401]);
  expect(outcome).toEqual({ is: 'refused', code: 'broken' });
});
