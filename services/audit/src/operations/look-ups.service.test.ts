import { newId } from '@action-platform/contracts/ids';
import { countEntries, listEntries } from '@action-platform/contracts/operations';
import { anOwner, profiled, shardingProblems, type TestPrincipal } from '@action-platform/testing';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { storedDocuments } from '../stored-documents.ts';
import { type Callers, callersOf, entryBy, grantOf, names } from '../test-support/callers.ts';
import { auditStoring } from '../test-support/stored-entries.ts';

jest.setTimeout(120_000);

const HOUR_MS = 3_600_000;
const { platform, store } = auditStoring(2);

const list = async (caller: TestPrincipal, filters: object = {}) =>
  (await platform.call(listEntries, caller, filters)).result;
const count = async (caller: TestPrincipal, input: object = {}) =>
  (await platform.call(countEntries, caller, input)).result.buckets;
const callsIn = (buckets: readonly { calls: number }[]) =>
  buckets.reduce((calls, bucket) => calls + bucket.calls, 0);

describe('a look-up', () => {
  let callers: Callers;
  beforeAll(async () => {
    callers = callersOf();
    const { workspaceId } = callers.owner;
    const entries = names.map((name) =>
      entryBy(callers[name], { operation: name, targets: [newId('record')] }),
    );
    const operators = entryBy(callers.member, { via: 'operator', operation: 'operator' });
    await store(workspaceId, [...entries, operators]);
  });

  test.each([
    ['owner', [...names, 'operator']],
    ['member', ['member', 'operation', 'routine']],
    ['other', ['other']],
    ['operation', ['operation']],
    ['routine', ['routine']],
    ['owners', ['owners']],
  ] as const)('of the caller %s finds what they may see', async (name, seen) => {
    const { entries } = await list(callers[name]);
    expect(entries.map(({ operation }) => operation).toSorted()).toEqual(seen.toSorted());
    expect(callsIn(await count(callers[name]))).toBe(seen.length);
  });

  test('by something outside finds nothing, and does not show that it exists', async () => {
    const { owner, member, other, operation, routine } = callers;
    const [entry] = (await list(other)).entries;
    const nothing = { entries: [], next_cursor: null };
    for (const [caller, filters] of [
      [member, { user_id: other.userId }],
      [member, { target_id: entry!.targets[0] }],
      [member, { request_id: entry!.request_id }],
      [member, { code: 'ok', operation_id: 'other' }],
      [member, { grant_id: grantOf(callers.owners) }],
      [member, { grant_id: newId('operationGrant') }],
      [operation, { grant_id: grantOf(routine) }],
      [routine, { user_id: owner.userId }],
      [anOwner(), {}],
    ] as const)
      expect(await list(caller, filters)).toEqual(nothing);
    for (const [caller, grant] of [
      [member, callers.owners],
      [other, routine],
      [operation, routine],
      [anOwner(), routine],
    ] as const)
      expect(callsIn(await count(caller, { grant_id: grantOf(grant) }))).toBe(0);
  });

  test('by a grant finds its calls, for its Member and for an Owner', async () => {
    const { owner, member, routine } = callers;
    for (const caller of [owner, member, routine]) {
      const { entries } = await list(caller, { grant_id: grantOf(routine), user_id: member.userId });
      expect(entries.map((entry) => entry.operation)).toEqual(['routine']);
      expect(callsIn(await count(caller, { grant_id: grantOf(routine) }))).toBe(1);
    }
  });
});

describe('counts', () => {
  test('of more than 31 days are refused, and those of 31 are not', async () => {
    const days = (count: number) => new Date(Date.now() - count * 24 * HOUR_MS).toISOString();
    for (const period of [
      { from: '2026-05-01', to: '2026-06-01' },
      { from: '2026-05-01T00:00:00Z', to: '2026-06-01T00:00:00.001Z' },
      { from: days(31.05) },
      { from: days(1), to: days(-31) },
    ]) {
      const { error } = await platform.call(countEntries, anOwner(), period);
      expect(error).toMatchObject({ code: 'invalid_request', message: expect.stringMatching(/31 days/) });
    }
    for (const period of [{ from: '2026-05-01', to: '2026-05-31' }, { to: days(500) }])
      await count(anOwner(), period);
  });

  test('are of the last 24 hours by default, and of days when wanted, also of those without a call', async () => {
    const owner = anOwner();
    const now = Date.now();
    const at = (hoursAgo: number) => new Date(now - hoursAgo * HOUR_MS).toISOString();
    await store(owner.workspaceId, [entryBy(owner, { at: at(0) }), entryBy(owner, { at: at(26) })]);
    const buckets = await count(owner);
    expect([buckets.length, callsIn(buckets)]).toEqual([25, 1]);
    expect(buckets[0]!.at).toBe(`${at(24).slice(0, 13)}:00:00.000Z`);
    const days = await count(owner, { from: at(48).slice(0, 10), step: 'day' });
    expect([days.length, callsIn(days)]).toEqual([3, 2]);
    const before = await count(owner, { from: at(48), to: at(49) });
    expect(before).toEqual([]);
  });

  test('are of a period within the log', async () => {
    const owner = anOwner();
    const ago = (days: number) => new Date(Date.now() - days * 24 * HOUR_MS).toISOString();
    await store(owner.workspaceId, [entryBy(owner, { at: ago(30) }), entryBy(owner, { at: ago(33) })]);
    const days = await count(owner, { from: ago(31), step: 'day' });
    expect([days.length, callsIn(days)]).toEqual([32, 1]);
    expect(callsIn(await count(owner, { from: ago(35), to: ago(5) }))).toBe(2);
    for (const period of [{ to: '0000-01-01T00:00:00Z' }, { from: '9999-12-31' }])
      expect(await count(owner, period)).toEqual([]);
  });
});

test('every query uses an index, and that of a Member reads no block without their calls', async () => {
  const callers = callersOf();
  const { owner, member, other, routine } = callers;
  const { workspaceId } = owner;
  const collection = newId('collection');
  const targets = [collection];
  // A block each, of a busy Workspace; the Member and their grant are in two of them.
  for (let block = 0; block < 40; block++) {
    const by = block % 20 === 7 ? [member, routine] : [];
    await store(
      workspaceId,
      [owner, other, ...by].map((caller) => entryBy(caller, { targets })),
    );
  }
  await count(owner);
  const database = await platform.database('audit');
  const all = await profiled(database, async () => {
    for (const filters of [
      {},
      { target_id: collection },
      { code: 'ok' },
      { outcome: 'done', from: '2026-01-01' },
    ])
      expect((await list(member, filters)).entries).toHaveLength(4);
    await list(member, { grant_id: grantOf(routine) });
    await list(member, { request_id: 'none', code: 'ok' });
    await list(routine, { target_id: collection });
    for (const caller of [member, routine])
      expect(callsIn(await count(caller))).toBe(caller === member ? 4 : 2);
    await count(member, { grant_id: grantOf(routine) });
    await count(owner);
  });
  // The replicas ask for the lease meanwhile.
  const queries = all.filter((query) => query.collection !== 'progress');
  expect(new Set(queries.map((query) => query.collection))).toEqual(new Set(['blocks', 'counts']));
  for (const { planSummary } of queries) expect(planSummary).toMatch(/^(IXSCAN|COUNT_SCAN|EXPRESS_IXSCAN) /);
  expect(queries.filter(({ docsExamined, hasSortStage }) => docsExamined > 2 || hasSortStage)).toEqual([]);
  expect(await shardingProblems('audit', database, storedDocuments, queries)).toEqual([]);
});
