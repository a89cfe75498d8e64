import { writeFairnessKey } from '@action-platform/admission';
import { busHeaders } from '@action-platform/contracts/bus';
import { describe, expect, test } from '@jest/globals';
import type { BusAnswer } from './answer.ts';
import {
  chunks,
  ok,
  requestOneByOne,
  subject,
  TestConnections,
  text,
} from './test-support/test-connections.ts';

const buses = new TestConnections();
const connect = buses.connect.bind(buses);
/** The bus hedges a read after 50 ms. */
const hedging = { hedgeAfterMs: 50 };
/** A refusal for load. */
const busy: BusAnswer = { status: 503, headers: { [busHeaders.busy]: 'true' }, body: new Uint8Array() };

describe('a query', () => {
  test('is answered although one of two replicas hangs; a request is not repeated', async () => {
    const gateway = await connect('gateway', hedging);
    let held = 0;
    const hanging = await buses.hangingReplica(() => held++);
    await buses.replica(async () => ok('here'));
    const options = { timeoutMs: 20_000 };
    const names = Array.from({ length: 30 }, () => '');
    const queries = requestOneByOne(gateway, names, { ...options, effect: 'read' });
    const replies = await Promise.all(queries);
    expect(replies.map((reply) => text(reply.body))).toEqual(Array(30).fill('here'));
    expect(held).toBeGreaterThan(0);
    await Promise.all([gateway.flush(), hanging.flush()]);
    const before = held;
    const requests = requestOneByOne(gateway, names, { timeoutMs: 2_000 });
    const outcomes = await Promise.allSettled(requests);
    const lost = outcomes.filter((outcome) => outcome.status === 'rejected');
    for (const { reason } of lost) expect(reason).toMatchObject({ code: 'action_infrastructure_failure' });
    expect(lost).toHaveLength(held - before);
  });

  test('is not sent again when the retry budget is spent', async () => {
    const gateway = await connect('gateway', hedging);
    let held = 0;
    const hanging = await buses.hangingReplica(() => held++);
    const queries = Array.from({ length: 300 }, () =>
      gateway.request(subject, '', { timeoutMs: 1_000, effect: 'read' }),
    );
    await Promise.allSettled(queries);
    await hanging.flush();
    expect(held).toBeGreaterThan(300);
    expect(held).toBeLessThanOrEqual(1_300);
  });

  test('is not sent again while its service answers others that it is busy', async () => {
    const gateway = await connect('gateway', hedging);
    const held: (() => void)[] = [];
    await buses.replica(async ({ body }) => {
      if (text(body) === 'refused') return busy;
      await new Promise<void>((resolve) => held.push(resolve));
      return ok('late');
    });
    const ask = (body: string) => gateway.request(subject, body, { timeoutMs: 20_000, effect: 'read' });
    await ask('refused');
    const waiting = ask('held');
    // Each refusal takes longer than a hedged read waits for its answer.
    for (let refusals = 0; refusals < 5; refusals++) {
      await new Promise((resolve) => setTimeout(resolve, hedging.hedgeAfterMs));
      await ask('refused');
    }
    expect(held).toHaveLength(1);
    for (const release of held) release();
    expect(text((await waiting).body)).toBe('late');
  });

  test('is sent again although its service is busy for another Workspace, or refuses for another reason', async () => {
    const gateway = await connect('gateway', hedging);
    const released = Promise.withResolvers<void>();
    let held = 0;
    await buses.replica(async ({ body }) => {
      if (text(body) === 'busy') return busy;
      if (text(body) === 'refused') return { ...busy, headers: {} };
      held++;
      await released.promise;
      return ok('late');
    });
    const ask = (body: string, workspace: string) =>
      gateway.request(subject, body, {
        timeoutMs: 20_000,
        effect: 'read',
        headers: { [busHeaders.fairnessKey]: writeFairnessKey({ workspace, caller: 'c' }) },
      });
    await Promise.all([ask('busy', 'other'), ask('refused', 'own')]);
    const waiting = ask('held', 'own');
    for (let rounds = 0; held < 2 && rounds < 20; rounds++) {
      await new Promise((resolve) => setTimeout(resolve, hedging.hedgeAfterMs));
      await Promise.all([ask('busy', 'other'), ask('refused', 'own')]);
    }
    released.resolve();
    expect(held).toBeGreaterThan(1);
    expect(text((await waiting).body)).toBe('late');
  });

  test('is answered by the last replica of its service, which leaves meanwhile', async () => {
    const gateway = await connect('gateway', hedging);
    const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const replica = await buses.replica(async () => {
      asked.resolve();
      await held.promise;
      return ok('late');
    });
    const read = gateway.request(subject, '', { timeoutMs: 20_000, effect: 'read' });
    await asked.promise;
    const left = replica.drain();
    // Each further message of the read meets no replica.
    await new Promise((resolve) => setTimeout(resolve, 4 * hedging.hedgeAfterMs));
    held.resolve();
    expect(text((await read).body)).toBe('late');
    await left;
  });

  test('without an answer did nothing', async () => {
    const gateway = await connect('gateway');
    const hanging = await buses.hangingReplica();
    const unavailable = { code: 'action_platform_unavailable', retryAfter: 1 };
    const fails = async (timeoutMs: number) => {
      const read = gateway.request(subject, '', { timeoutMs, effect: 'read' });
      await expect(read).rejects.toMatchObject(unavailable);
    };
    await fails(100);
    await hanging.close();
    await gateway.flush();
    await fails(60_000);
    await gateway.drain();
    await fails(60_000);
  });

  test('cancels the long answers that come after the first', async () => {
    const gateway = await connect('gateway', hedging);
    const late = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    let calls = 0;
    await buses.replica(async () => {
      if (calls++ > 0) return ok('first');
      await late.promise;
      return { status: 200, body: chunks(1_000_000, 1000, ended.resolve) };
    });
    const { body } = await gateway.request(subject, '', { timeoutMs: 60_000, effect: 'read' });
    expect(text(body)).toBe('first');
    late.resolve();
    await ended.promise;
  });

  test('is sent again after the connection broke; a request is not', async () => {
    const line = await buses.breakableLine();
    const gateway = await connect('gateway', { url: line.url });
    const seen: string[] = [];
    const bothSeen = Promise.withResolvers<void>();
    const never = Promise.withResolvers<BusAnswer>();
    await buses.replica(async ({ body }) => {
      seen.push(text(body));
      if (seen.length === 2) bothSeen.resolve();
      return seen.length <= 2 ? await never.promise : ok('again');
    });
    const query = gateway.request(subject, 'read', { timeoutMs: 20_000, effect: 'read' });
    const request = gateway.request(subject, 'write', { timeoutMs: 20_000 });
    const lost = expect(request).rejects.toMatchObject({ code: 'action_infrastructure_failure' });
    await bothSeen.promise;
    line.breakAll();
    await lost;
    const begunMeanwhile = gateway.request(subject, 'read', { timeoutMs: 20_000, effect: 'read' });
    expect(text((await query).body)).toBe('again');
    expect(text((await begunMeanwhile).body)).toBe('again');
    expect(seen.filter((body) => body === 'write')).toHaveLength(1);
    never.resolve(ok('late'));
  });

  test('that begins once the NATS server is known to hang is refused at once, as is a write', async () => {
    const line = await buses.breakableLine();
    const gateway = await connect('gateway', { url: line.url });
    await buses.hangingReplica();
    const ask = (effect: 'read' | 'write') => gateway.request(subject, '', { timeoutMs: 600_000, effect });
    const [read, write] = [ask('read'), ask('write')];
    await gateway.flush();
    line.hang();
    await expect(write).rejects.toMatchObject({ code: 'action_infrastructure_failure' });
    await expect(read).rejects.toMatchObject({ code: 'action_platform_unavailable' });
    for (const effect of ['read', 'write'] as const) {
      const waits = new Promise((resolve) => setImmediate(resolve, 'waits'));
      const refused = Promise.race([ask(effect), waits]);
      await expect(refused).rejects.toMatchObject({ code: 'action_platform_unavailable' });
    }
  });
});
