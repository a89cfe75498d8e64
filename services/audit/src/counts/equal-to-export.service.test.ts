import type { AuditEntry } from '@action-platform/contracts/audit';
import { verifyAudit } from '@action-platform/contracts/calls';
import { countEntries } from '@action-platform/contracts/operations';
import { auditRoutes } from '@action-platform/contracts/resources';
import { openStored } from '@action-platform/mongo';
import type { CallContext } from '@action-platform/service-host';
import type { TestPrincipal } from '@action-platform/testing';
import { beforeAll, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { openChains } from '../blocks/stored-block.ts';
import { callersOf, entryBy, grantOf, names } from '../test-support/callers.ts';
import { auditStoring } from '../test-support/stored-entries.ts';
import { testSeals } from '../test-support/test-seals.ts';
import { countCalls, HOUR_MS } from './count-calls.ts';
import { storedCounts } from './stored-counts.ts';

jest.setTimeout(120_000);

const { platform, store } = auditStoring(2);
beforeAll(async () => {
  // From the first command on, the platform answers in place of grants.
  await platform.callAs('admin', verifyAudit, { workspace: 'ws_none' });
});

/** The entries of an export. */
async function exported(owner: TestPrincipal, filters: object): Promise<AuditEntry[]> {
  const reply = await platform.begin(auditRoutes.export, owner, filters);
  const text = Buffer.concat([reply.body, ...(await Array.fromAsync(reply.more ?? []))]).toString();
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** How long ago, in minutes: in few hours, so that most of them get entries repeatedly. */
const minutesAgo = fc.nat({ max: 400 });
const call = fc.record({
  minutes: minutesAgo,
  caller: fc.constantFrom(...names),
  via: fc.constantFrom('session' as const, 'operator' as const),
  outcome: fc.constantFrom('done' as const, 'refused' as const, 'failed' as const, 'unknown' as const),
  operation: fc.constantFrom('record_store.push_record', '"outcome":"refused","count":7'),
  shared: fc.option(fc.integer({ min: 1, max: 500 }), { nil: undefined }),
});
const asked = fc.record({
  from: minutesAgo,
  to: fc.option(minutesAgo, { nil: undefined }),
  unit: fc.constantFrom(1, HOUR_MS),
  step: fc.constantFrom('hour', 'day'),
});

/** The counts of entries by the beginning of each bucket. */
function countsOf(entries: readonly AuditEntry[], step: string): ReadonlyMap<string, object> {
  const buckets = Map.groupBy(entries, ({ at }) => (step === 'hour' ? at.slice(0, 13) : at.slice(0, 10)));
  const callsOf = (some: readonly AuditEntry[]) => some.reduce((calls, { count = 1 }) => calls + count, 0);
  return new Map(
    [...buckets].map(([at, all]) => {
      const [refused, failed] = ['refused', 'failed'].map((wanted) =>
        callsOf(all.filter(({ outcome }) => outcome === wanted)),
      );
      return [at, { calls: callsOf(all), refused, failed }];
    }),
  );
}

test('the counts equal those of an export, whenever the entries come', async () => {
  const rounds = fc.array(fc.array(call, { minLength: 1, maxLength: 12 }), { minLength: 2, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(
      rounds,
      fc.constantFrom(...names),
      asked,
      async (calls, name, { unit, step, from, to }) => {
        const now = Date.now();
        const timeOf = (minutes: number) => now - minutes * 60_000;
        const callers = callersOf();
        const { owner, [name]: caller } = callers;
        const [grant_id, isOwner] = [grantOf(caller), name === 'owner'];
        const own = grant_id !== undefined ? { grant_id } : isOwner ? {} : { user_id: caller.userId };
        const [begin, end] = [from, to ?? 0].map((minutes) =>
          new Date(Math.floor(timeOf(minutes) / unit) * unit).toISOString(),
        );
        const period = { from: begin, ...(to !== undefined && { to: end }) };
        for (const round of calls) {
          const entries = round.map(({ caller: by, minutes, shared, ...more }) =>
            entryBy(callers[by], {
              ...more,
              at: new Date(timeOf(minutes)).toISOString(),
              ...(shared !== undefined && { count: shared }),
            }),
          );
          await store(owner.workspaceId, entries);
          const seen = (await exported(owner, { ...period, ...own })).filter(
            ({ via }) => isOwner || via !== 'operator',
          );
          const { result } = await platform.call(countEntries, caller, { ...period, step });
          const counted = result.buckets.filter(({ calls: some }) => some > 0);
          const length = step === 'hour' ? 13 : 10;
          expect(new Map(counted.map(({ at, ...counts }) => [at.slice(0, length), counts]))).toEqual(
            countsOf(seen, step),
          );
        }
      },
    ),
    { numRuns: 15 },
  );
});

/** A call whose deadline passes after so many looks at it: a block that is read costs one. */
function interruptedAfter(looks: number): CallContext {
  let left = looks;
  const context = {
    get deadline() {
      return left-- > 0 ? Number.POSITIVE_INFINITY : 0;
    },
  };
  return context as CallContext;
}

/** So many entries of the last whole hour, each in a block of its own, and a count of them as one caller's. */
async function manyBlocks(many: number) {
  const { owner, member } = callersOf();
  const { workspaceId } = owner;
  const from = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - HOUR_MS;
  for (let n = 0; n < many; n += 300) {
    const entries = Array.from({ length: Math.min(300, many - n) }, (_, index) =>
      entryBy(member, { at: new Date(from + index * 10_000).toISOString() }),
    );
    await store(workspaceId, entries);
  }
  const { db } = await platform.database('audit');
  const counted = {
    ...{ chains: await openChains(db, testSeals, 400), counts: openStored(db, storedCounts), workspaceId },
    visible: { filters: { user_id: member.userId }, includes: () => true },
    ...{ from, to: from + HOUR_MS },
  };
  const count = (context: CallContext) => countCalls(counted, context);
  return { owner, member, db, counted, count };
}

test('a count that is interrupted within an hour goes on there when it is repeated', async () => {
  const { owner, member, counted, count } = await manyBlocks(151);
  const interrupted = () => count(interruptedAfter(100)).catch(() => undefined);
  let calls = 1;
  while ((await interrupted()) === undefined) expect(++calls).toBeLessThanOrEqual(4);
  expect(calls).toBeGreaterThan(1);
  const from = new Date(counted.from).toISOString();
  const { result } = await platform.call(countEntries, member, { from });
  const exports = await exported(owner, { user_id: member.userId });
  expect(result.buckets.reduce((sum, bucket) => sum + bucket.calls, 0)).toBe(exports.length);
});

test('the first count of an hour with many small blocks reads each once, and stores one result', async () => {
  const { db, count } = await manyBlocks(500);
  await db.command({ profile: 2 });
  await count({ deadline: Number.POSITIVE_INFINITY } as CallContext);
  await db.command({ profile: 0 });
  const profiled = await db.collection('system.profile').find({}).toArray();
  const of = (collection: string, op: string) =>
    profiled.filter((one) => one.ns === `${db.databaseName}.${collection}` && one.op === op);
  expect(of('counts', 'update')).toHaveLength(1);
  const reads = [...of('blocks', 'command'), ...of('blocks', 'getmore')];
  expect(reads.reduce((sum, { docsExamined = 0 }) => sum + docsExamined, 0)).toBe(500);
  expect(reads.reduce((sum, { keysExamined = 0 }) => sum + keysExamined, 0)).toBeLessThan(3_000);
});
