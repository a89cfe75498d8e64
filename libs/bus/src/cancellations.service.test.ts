import { cancelledEvent } from '@action-platform/contracts/bus';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Bus } from './bus.ts';
import { failures, ok, subject, TestConnections, text } from './test-support/test-connections.ts';

const buses = new TestConnections();

let gateway: Bus;
let replica: Bus;
/** Requests that the replica received; the test answers each. */
let requests: { body: string; answer: () => void }[];
let cancelled: string[];
/** The replica answers further requests at once. */
let hasEnded: boolean;
let got: () => void;
beforeEach(async () => {
  [requests, cancelled, hasEnded] = [[], [], false];
  got = () => {};
  gateway = await buses.connect('gateway', { hedgeAfterMs: 50 });
  replica = await buses.replica(async (request) => {
    const body = text(request.body);
    const { promise, resolve } = Promise.withResolvers<void>();
    request.signal.addEventListener('abort', () => {
      cancelled.push(body);
      resolve();
    });
    requests.push({ body, answer: resolve });
    if (hasEnded) resolve();
    got();
    await promise;
    return ok(body);
  });
});
afterEach(() => {
  // The bus may have hedged a read meanwhile.
  hasEnded = true;
  for (const { answer } of requests) answer();
});

/** Sends a request, and resolves when the replica works on it. */
async function sent(body: string, effect: 'read' | 'write', { signal }: AbortController) {
  const { promise, resolve } = Promise.withResolvers<void>();
  got = resolve;
  const answer = gateway.request(subject, body, { timeoutMs: 60_000, effect, signal });
  answer.catch(() => {});
  await promise;
  return { answer };
}

describe('a request whose caller has left', () => {
  test.each(failures)('fails at once, and the bus cancels it at its replica: a %s', async (effect, code) => {
    const [leaving, staying] = [new AbortController(), new AbortController()];
    const other = await sent('other', effect, staying);
    const { answer } = await sent('mine', effect, leaving);
    leaving.abort();
    await expect(answer).rejects.toMatchObject({ code });
    await gateway.flush();
    await replica.flush();
    expect(new Set(cancelled)).toEqual(new Set(['mine']));
    for (const request of requests) request.answer();
    expect(text((await other.answer).body)).toBe('other');
  });

  test('is not hedged, and the bus cancels it at all replicas that have it', async () => {
    const caller = new AbortController();
    await sent('mine', 'read', caller);
    while (requests.length < 3) await new Promise((resolve) => setTimeout(resolve, 10));
    caller.abort();
    const count = requests.length;
    await new Promise((resolve) => setTimeout(resolve, 300));
    await replica.flush();
    expect([requests.length, cancelled.length]).toEqual([count, count]);
  });

  test('is not sent when the caller left before', async () => {
    const caller = new AbortController();
    caller.abort();
    for (const effect of ['read', 'write'] as const) {
      const answer = gateway.request(subject, '', { timeoutMs: 60_000, effect, signal: caller.signal });
      await expect(answer).rejects.toMatchObject({ code: 'action_platform_unavailable' });
    }
    await gateway.flush();
    await replica.flush();
    expect(requests).toEqual([]);
  });

  test('keeps an answer that came first, and the bus sends no cancellation', async () => {
    const caller = new AbortController();
    const { answer } = await sent('mine', 'read', caller);
    for (const request of requests) request.answer();
    expect((await answer).status).toBe(200);
    caller.abort();
    await gateway.flush();
    await replica.flush();
    expect(cancelled).toEqual([]);
  });
});

test('thousands of cancelled requests leave no timer and little memory', async () => {
  const abandon = async () => {
    const caller = new AbortController();
    const body = 'x'.repeat(500);
    const answer = gateway.request(subject, body, {
      timeoutMs: 600_000,
      effect: 'write',
      signal: caller.signal,
    });
    answer.catch(() => {});
    await gateway.flush();
    caller.abort();
    await expect(answer).rejects.toThrow();
  };
  const timers = () => process.getActiveResourcesInfo().filter((what) => what === 'Timeout').length;
  const before = timers();
  for (let round = 0; round < 20; round++) await Promise.all(Array.from({ length: 100 }, abandon));
  while (cancelled.length < 2_000) await new Promise(setImmediate);
  await replica.flush();
  await gateway.flush();
  expect(timers()).toBeLessThan(before + 10);
  // Nothing is under way any more: `replica` and `gateway` end at once, though every request would have waited for ten minutes.
  await replica.drain();
  await gateway.drain();
});

test('a service ignores a malformed cancellation', async () => {
  const rogue = await buses.connectRaw('gateway');
  for (const message of ['{"replies":5}', '{"replies":null}', '[]', '{', '']) {
    rogue.publish(cancelledEvent('record-store').subject, message);
  }
  await rogue.flush();
  const caller = new AbortController();
  const { answer } = await sent('mine', 'read', caller);
  for (const request of requests) request.answer();
  expect((await answer).status).toBe(200);
});
