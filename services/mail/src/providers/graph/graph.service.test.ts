import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Collection } from 'mongodb';
import type { StoredSubmission } from '../../attempts/stored-attempt.ts';
import { mail as mailService } from '../../service.ts';
import { type GraphMember, graphMember } from '../../test-support/graph/graph-member.ts';
import { GraphStandIn } from '../../test-support/graph/graph-stand-in.ts';
import type { GraphFault } from '../../test-support/graph/stand-in-faults.ts';
import { TestMail } from '../../test-support/test-mail.ts';
import { FILTER_LAG_MS } from './graph-provider.ts';

/** How many interleavings are tried; ADAPTER_RUNS=100 tries more. */
const RUNS = Number(process.env.ADAPTER_RUNS ?? 15);

const mail = new TestMail();
let graph: GraphStandIn;
let submissions: Collection<StoredSubmission>;
beforeAll(async () => {
  graph = await GraphStandIn.trusted();
  for (let replica = 0; replica < 2; replica++) await mail.startWith(mailService);
  submissions = (await mail.platform.database('mail')).db.collection('attempts');
});
beforeEach(() => {
  graph.faults.clear();
  graph.lagMs = 0;
});
afterAll(async () => {
  await mail.stop();
  await graph.stop();
});

const key = { idempotency_key: 'key-1' };
const aGraphMember = () => graphMember(mail, graph);

/** Lets time pass for the leases of a Member's submissions and for the filter of their mailbox. */
async function pass(member: GraphMember, ms: number): Promise<void> {
  for (const message of member.mailbox.messages) message.foundFrom -= ms;
  await submissions.updateMany({ workspace_id: member.workspaceId, lease: { $exists: true } }, [
    { $set: { 'lease.until': { $subtract: ['$lease.until', ms] } } },
  ]);
}

describe('a draft in a mailbox of Microsoft 365', () => {
  test('waits while Graph has no capacity; is answered 503 when it has none in time, and the retry makes it', async () => {
    const member = await aGraphMember();
    graph.faults.plan('create', { throttle: 503, seconds: 1 }, { throttle: 429, seconds: 120 });
    const refused = await mail.send(member, key);
    expect(refused.error.code).toBe('action_platform_unavailable');
    expect(refused.header('retry-after')).toBe('120');
    const { result } = await mail.send(member, key);
    expect(result).toMatchObject({ status: 'drafted', graph_correlation: { http_status: 201 } });
    expect(member.mailbox.messages).toHaveLength(1);
  });

  test('is made for each of 20 calls at once, although Graph serves four at once', async () => {
    const member = await aGraphMember();
    for (let call = 0; call < 20; call++) graph.faults.plan('create', { delayMs: 20 });
    const calls = Array.from({ length: 20 }, (_, i) => mail.send(member, { idempotency_key: `key-${i}` }));
    const statuses = (await Promise.all(calls)).map(({ result }) => result.status);
    expect(statuses).toEqual(statuses.map(() => 'drafted'));
    expect(member.mailbox.messages).toHaveLength(20);
  });
});

test('a second search without capacity after a creation lets no other attempt create at once', async () => {
  const member = await aGraphMember();
  graph.faults.plan('create', { cut: 'before' });
  expect((await mail.send(member, key)).result.status).toBe('unknown');
  await pass(member, 100_000);
  graph.lagMs = FILTER_LAG_MS;
  // The search before the creation, and the one after it.
  graph.faults.plan('search', { delayMs: 0 }, { throttle: 429, seconds: 120 });
  expect((await mail.send(member, key)).result.status).toBe('unknown');
  expect((await mail.send(member, key)).result.status).toBe('unknown');
  await pass(member, FILTER_LAG_MS);
  expect((await mail.send(member, key)).result.status).toBe('drafted');
  expect(member.mailbox.messages).toHaveLength(1);
});

/** How late Graph may do what was asked over a connection that has ended, in milliseconds. */
const LATE_MS = 20_000;

test(`there is never a second draft and never a lost one, whatever fails in which step (${RUNS} runs)`, async () => {
  const unclear: GraphFault[] = [
    { cut: 'before' },
    { cut: 'after' },
    { cut: 'late' },
    { refuse: 500, code: 'generalException' },
  ];
  const fault = fc.constantFrom<GraphFault | undefined>(
    ...unclear,
    { throttle: 429, seconds: 60 },
    undefined,
  );
  const wave = fc.record({
    calls: fc.integer({ min: 1, max: 3 }),
    create: fault,
    search: fault,
    laterMs: fc.constantFrom(0, 20_000, 45_000, 100_000),
  });
  const plan = fc.record({
    lagMs: fc.integer({ min: 0, max: FILTER_LAG_MS }),
    waves: fc.array(wave, { maxLength: 5 }),
  });
  const lost = { calls: 1, create: { cut: 'after' }, search: undefined, laterMs: 0 } as const;
  await fc.assert(
    fc.asyncProperty(plan, async ({ lagMs, waves }) => {
      const member = await aGraphMember();
      graph.lagMs = lagMs;
      for (const { calls, create, search, laterMs } of waves) {
        if (create !== undefined) graph.faults.plan('create', create);
        if (search !== undefined) graph.faults.plan('search', search);
        await Promise.allSettled(Array.from({ length: calls }, () => mail.send(member, key)));
        graph.faults.clear();
        await pass(member, LATE_MS);
        graph.deliverLate();
        expect(member.mailbox.messages.length).toBeLessThanOrEqual(1);
        await pass(member, laterMs);
      }
      await pass(member, 100_000);
      const { result } = await mail.send(member, key);
      expect(result).toMatchObject({ status: 'drafted', draft_id: member.mailbox.messages[0]!.immutableId });
      expect(member.mailbox.messages).toHaveLength(1);
    }),
    { numRuns: RUNS, examples: [[{ lagMs: FILTER_LAG_MS, waves: [1, 2, 3, 4].map(() => lost) }]] },
  );
}, 900_000);
