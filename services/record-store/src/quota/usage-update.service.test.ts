import { defaultLimits } from '@action-platform/contracts/limits';
import { TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Collection } from 'mongodb';
import type { Reserved, StoredUsage } from './stored-usage.ts';
import { NO_ROOM_CODE, usageUpdate } from './usage-commands.ts';

const platform = new TestPlatform();
let usage: Collection<StoredUsage>;
beforeAll(async () => {
  usage = (await platform.database('record-store')).db.collection('usage');
});
afterAll(() => platform.stop());

const DEFAULT_QUOTA = 100;
/** The quota that an operator set, if one did. */
const quotas = fc.option(fc.constantFrom(50, 150), { nil: undefined });
const WRITE_IDS = Array.from({ length: 12 }, (_, n) => `w${n}`);

interface Step {
  decided: [string, number][];
  reserved: Pick<Reserved, 'kind' | 'bytes'>[];
  whenFull: 'pass over' | 'fail';
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    decided: fc.array(fc.tuple(fc.constantFrom(...WRITE_IDS), fc.nat({ max: 10 }))),
    reserved: fc.array(
      fc.record({
        kind: fc.constantFrom('revision', 'deletion', 'pushes'),
        bytes: fc.integer({ min: 1, max: 60 }),
      }),
      { maxLength: 4 },
    ),
    whenFull: fc.constantFrom('pass over', 'fail'),
  }),
  { maxLength: 6 },
);

/** A model of the update; returns false when a change did not fit. */
function applyTo(
  state: { stored: number; reservations: Map<string, Reserved> },
  decided: Map<string, number>,
  reserved: Reserved[],
  quota: number,
): boolean {
  let isAllReserved = true;
  for (const [id, released] of decided) {
    if (state.reservations.delete(id)) state.stored -= released;
  }
  for (const change of reserved) {
    const counted = change.kind === 'deletion' ? 0 : change.bytes;
    const needed = change.kind === 'pushes' ? 2 * counted : counted;
    if (change.kind !== 'deletion' && state.stored + needed > quota) {
      isAllReserved = false;
      continue;
    }
    state.stored += counted;
    state.reservations.set(change.write_id, change);
  }
  return isAllReserved;
}

test('the update settles each reservation once, then reserves in order the changes that fit the quota, or fails as a whole', async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(steps, quotas, async (sequence, quota_bytes) => {
      const _id = `ws_${runs++}`;
      const ids = WRITE_IDS.values();
      let model = { stored: 0, reservations: new Map<string, Reserved>() };
      await usage.insertOne({ _id, ...(quota_bytes && { quota_bytes }), stored_bytes: 0, reservations: [] });
      for (const { decided, reserved, whenFull } of sequence) {
        const changes = reserved.flatMap((change) => {
          const write_id = ids.next().value;
          if (write_id === undefined) return [];
          return [{ ...change, write_id, record_id: '$not', version: 1 } as Reserved];
        });
        const update = usageUpdate({
          decided: new Map(decided),
          reserved: changes,
          revisions: 0,
          defaultQuota: DEFAULT_QUOTA,
          mostRevisions: defaultLimits.WORKSPACE_REVISIONS_MAX,
          whenFull,
        });
        const next = structuredClone(model);
        const isAllReserved = applyTo(next, new Map(decided), changes, quota_bytes ?? DEFAULT_QUOTA);
        const updated = usage.updateOne({ _id }, update);
        if (isAllReserved || whenFull === 'pass over') {
          await updated;
          model = next;
        } else {
          await expect(updated).rejects.toMatchObject({ code: NO_ROOM_CODE });
        }

        const {
          stored_bytes,
          reservations,
          reserved_since,
          revisions: _,
          ...others
        } = (await usage.findOne({ _id }))!;
        expect(stored_bytes).toBe(model.stored);
        expect(reservations.map(({ at, ...change }) => change)).toEqual([...model.reservations.values()]);
        const times = reservations.map(({ at }) => at.getTime());
        expect(reserved_since?.getTime()).toBe(times.length === 0 ? undefined : Math.min(...times));
        expect(others).toEqual({ _id, ...(quota_bytes && { quota_bytes }) });
      }
    }),
    { numRuns: 60 },
  );
});
