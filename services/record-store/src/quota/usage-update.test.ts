import { TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Collection } from 'mongodb';
import type { BookedChange, Settlement, UsageDocument } from './usage-document.ts';
import { usageUpdate } from './usage-update.ts';

const platform = new TestPlatform();
let usage: Collection<UsageDocument>;
beforeAll(async () => {
  usage = (await platform.database('record-store')).db.collection('usage');
});
afterAll(() => platform.stop());

const DEFAULT_QUOTA = 100;
const WRITE_IDS = Array.from({ length: 12 }, (_, n) => `w${n}`);

interface Step {
  settled: [string, Settlement][];
  booked: Pick<BookedChange, 'kind' | 'bytes'>[];
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    settled: fc.array(fc.tuple(fc.constantFrom(...WRITE_IDS), fc.constantFrom('kept', 'given back'))),
    booked: fc.array(
      fc.record({ kind: fc.constantFrom('revision', 'deletion'), bytes: fc.integer({ min: 1, max: 60 }) }),
      { maxLength: 4 },
    ),
  }),
  { maxLength: 6 },
);

/** The rules of the update, in the plainest way they can be put. */
function applyTo(
  state: { stored: number; pending: Map<string, BookedChange> },
  settled: Map<string, Settlement>,
  booked: BookedChange[],
) {
  for (const [id, settlement] of settled) {
    if (settlement === 'given back') state.stored -= state.pending.get(id)?.bytes ?? 0;
    state.pending.delete(id);
  }
  for (const change of booked) {
    const counted = change.kind === 'revision' ? change.bytes : 0;
    if (change.kind === 'revision' && state.stored + counted > DEFAULT_QUOTA) continue;
    state.stored += counted;
    state.pending.set(change.write_id, change);
  }
}

test('settles what is pending, once, then books in turn what fits', async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const _id = `ws_${runs++}`;
      const ids = WRITE_IDS.values();
      const model = { stored: 0, pending: new Map<string, BookedChange>() };
      for (const { settled, booked } of sequence) {
        const changes = booked.flatMap((change) => {
          const write_id = ids.next().value;
          return write_id === undefined ? [] : [{ ...change, write_id, record_id: '$not', version: 1 }];
        });
        const update = usageUpdate({
          settled: new Map(settled),
          booked: changes,
          defaultQuota: DEFAULT_QUOTA,
        });
        await usage.updateOne({ _id }, update, { upsert: true });
        applyTo(model, new Map(settled), changes);

        const { stored_bytes, pending, pending_since, ...others } = (await usage.findOne({ _id }))!;
        expect(stored_bytes).toBe(model.stored);
        expect(pending.map(({ at, ...change }) => change)).toEqual([...model.pending.values()]);
        const times = pending.map(({ at }) => at.getTime());
        expect(pending_since?.getTime()).toBe(times.length === 0 ? undefined : Math.min(...times));
        expect(others).toEqual({ _id });
      }
    }),
    { numRuns: 60 },
  );
});

test('heeds the quota that was set', async () => {
  const book = async (write_id: string) => {
    const booked = [{ kind: 'revision', write_id, record_id: 'rec', version: 1, bytes: 10 } as const];
    const update = usageUpdate({ settled: new Map(), booked, defaultQuota: DEFAULT_QUOTA });
    await usage.updateOne({ _id: 'ws_set' }, update, { upsert: true });
    return (await usage.findOne({ _id: 'ws_set' }))!.pending.some((change) => change.write_id === write_id);
  };
  expect(await book('w0')).toBe(true);
  await usage.updateOne({ _id: 'ws_set' }, { $set: { quota_bytes: 19 } });
  expect(await book('w1')).toBe(false);
  await usage.updateOne({ _id: 'ws_set' }, { $set: { quota_bytes: 20 } });
  expect(await book('w2')).toBe(true);
});
