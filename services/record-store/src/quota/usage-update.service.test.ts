import { TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Collection } from 'mongodb';
import type { Decision, ReservedChange, StoredUsage } from './stored-usage.ts';
import { NO_ROOM_CODE, usageUpdate } from './usage-commands.ts';

const platform = new TestPlatform();
let usage: Collection<StoredUsage>;
beforeAll(async () => {
  usage = (await platform.database('record-store')).db.collection('usage');
});
afterAll(() => platform.stop());

const DEFAULT_QUOTA = 100;
const WRITE_IDS = Array.from({ length: 12 }, (_, n) => `w${n}`);

interface Step {
  decided: [string, Decision][];
  reserved: Pick<ReservedChange, 'kind' | 'bytes'>[];
  whenFull: 'pass over' | 'fail';
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    decided: fc.array(fc.tuple(fc.constantFrom(...WRITE_IDS), fc.constantFrom('committed', 'aborted'))),
    reserved: fc.array(
      fc.record({ kind: fc.constantFrom('revision', 'deletion'), bytes: fc.integer({ min: 1, max: 60 }) }),
      { maxLength: 4 },
    ),
    whenFull: fc.constantFrom('pass over', 'fail'),
  }),
  { maxLength: 6 },
);

/** A model of the update; returns false when a change did not fit. */
function applyTo(
  state: { stored: number; reservations: Map<string, ReservedChange> },
  decided: Map<string, Decision>,
  reserved: ReservedChange[],
): boolean {
  let isAllReserved = true;
  for (const [id, decision] of decided) {
    const change = state.reservations.get(id);
    const isReleased = (change?.kind === 'revision') === (decision === 'aborted');
    if (change !== undefined && isReleased) state.stored -= change.bytes;
    state.reservations.delete(id);
  }
  for (const change of reserved) {
    const counted = change.kind === 'revision' ? change.bytes : 0;
    if (change.kind === 'revision' && state.stored + counted > DEFAULT_QUOTA) {
      isAllReserved = false;
      continue;
    }
    state.stored += counted;
    state.reservations.set(change.write_id, change);
  }
  return isAllReserved;
}

test('the update settles each reservation once, then reserves in order the changes that fit, or fails as a whole', async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const _id = `ws_${runs++}`;
      const ids = WRITE_IDS.values();
      let model = { stored: 0, reservations: new Map<string, ReservedChange>() };
      await usage.insertOne({ _id, stored_bytes: 0, reservations: [] });
      for (const { decided, reserved, whenFull } of sequence) {
        const changes = reserved.flatMap((change) => {
          const write_id = ids.next().value;
          return write_id === undefined ? [] : [{ ...change, write_id, record_id: '$not', version: 1 }];
        });
        const update = usageUpdate({
          decided: new Map(decided),
          reserved: changes,
          defaultQuota: DEFAULT_QUOTA,
          whenFull,
        });
        const next = structuredClone(model);
        const isAllReserved = applyTo(next, new Map(decided), changes);
        const updated = usage.updateOne({ _id }, update);
        if (isAllReserved || whenFull === 'pass over') {
          await updated;
          model = next;
        } else {
          await expect(updated).rejects.toMatchObject({ code: NO_ROOM_CODE });
        }

        const { stored_bytes, reservations, reserved_since, ...others } = (await usage.findOne({ _id }))!;
        expect(stored_bytes).toBe(model.stored);
        expect(reservations.map(({ at, ...change }) => change)).toEqual([...model.reservations.values()]);
        const times = reservations.map(({ at }) => at.getTime());
        expect(reserved_since?.getTime()).toBe(times.length === 0 ? undefined : Math.min(...times));
        expect(others).toEqual({ _id });
      }
    }),
    { numRuns: 60 },
  );
});

test('the update uses the quota of the Workspace', async () => {
  const reserve = async (write_id: string) => {
    const reserved = [{ kind: 'revision', write_id, record_id: 'rec', version: 1, bytes: 10 } as const];
    const update = usageUpdate({ decided: new Map(), reserved, defaultQuota: DEFAULT_QUOTA });
    await usage.updateOne({ _id: 'ws_set' }, update, { upsert: true });
    return (await usage.findOne({ _id: 'ws_set' }))!.reservations.some(
      (change) => change.write_id === write_id,
    );
  };
  expect(await reserve('w0')).toBe(true);
  await usage.updateOne({ _id: 'ws_set' }, { $set: { quota_bytes: 19 } });
  expect(await reserve('w1')).toBe(false);
  await usage.updateOne({ _id: 'ws_set' }, { $set: { quota_bytes: 20 } });
  expect(await reserve('w2')).toBe(true);
});
