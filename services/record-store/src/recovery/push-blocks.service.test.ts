import { inBackground } from '@action-platform/contracts/calls';
import { newId } from '@action-platform/contracts/ids';
import { ExactJson } from '@action-platform/json';
import { TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Dependencies } from '../dependencies.ts';
import type { StoredUsage } from '../quota/stored-usage.ts';
import { author } from '../test-support/author.ts';
import { replicaOfItsOwn } from '../test-support/replica.ts';
import { deleteRecord } from '../writes/delete.ts';
import { pushed } from '../writes/next-head.ts';
import { push } from '../writes/push.ts';
import { revise } from '../writes/revise.ts';

const platform = new TestPlatform();
let replicas: Dependencies[];
beforeAll(async () => {
  replicas = [await replicaOfItsOwn(platform), await replicaOfItsOwn(platform)];
});
afterAll(() => platform.stop());

const payloadOf = (bytes: number) => new ExactJson(`"${'x'.repeat(bytes - 2)}"`);
const keyed = undefined;

type Step =
  | { do: 'push'; replica: number; count: number; bytes: number }
  | { do: 'hold'; replica: number; bytes: number }
  | { do: 'recover' | 'flush' | 'deliver' | 'replace' | 'delete'; replica: number; which: number };

const replica = fc.nat({ max: 1 });
const bytes = fc.integer({ min: 2, max: 50 });
const which = fc.nat({ max: 50 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('push' as const), replica, count: fc.integer({ min: 1, max: 6 }), bytes }),
  fc.record({ do: fc.constant('hold' as const), replica, bytes }),
  fc.record({
    do: fc.constantFrom<'recover' | 'flush' | 'deliver' | 'replace' | 'delete'>(
      'recover',
      'flush',
      'deliver',
      'replace',
      'delete',
    ),
    replica,
    which,
  }),
);

/** A Workspace with the bytes that each Record must have stored. */
class Model {
  readonly workspaceId = newId('workspace');
  readonly collectionId = newId('collection');
  readonly records = new Map<string, number>();
  /** Pushes whose insertion is on its way to the database, as of a slow or killed replica. */
  readonly held: { deliver: () => Promise<boolean>; recordId: string; bytes: number }[] = [];
  heldInBlocks = 0;

  async apply(step: Step): Promise<void> {
    const { workspaceId, collectionId, records } = this;
    const dependencies = replicas[step.replica]!;
    const { quota, heads } = dependencies;
    if (step.do === 'push') {
      const input = { workspaceId, collectionId, ...author, keyed, payload: payloadOf(step.bytes) };
      const all = Array.from({ length: step.count }, () => push(dependencies, { ...input, ...inBackground }));
      for (const { record } of await Promise.all(all)) records.set(record.id, step.bytes);
    } else if (step.do === 'hold') {
      await this.#hold(dependencies, step.bytes);
    } else if (step.do === 'recover') {
      await quota.settleInDoubt(workspaceId, 0);
    } else if (step.do === 'flush') {
      await quota.flush();
    } else if (step.do === 'deliver') {
      const [late] = this.held.splice(step.which % (this.held.length || 1), 1);
      if (late !== undefined && (await late.deliver())) records.set(late.recordId, late.bytes);
    } else {
      const recordId = [...records.keys()][step.which % (records.size || 1)];
      if (recordId === undefined) return;
      const write = { reference: { workspaceId, collectionId, recordId }, ...author, ...inBackground };
      if (step.do === 'replace') {
        await revise(dependencies, { ...write, type: 'replaced', keyed, nextPayload: () => payloadOf(7) });
        records.set(recordId, records.get(recordId)! + 7);
      } else {
        const head = await heads.get(write.reference, inBackground);
        await heads.replace(head, { ...head, state: 'archived' }, inBackground);
        await deleteRecord(dependencies, write);
        records.delete(recordId);
      }
    }
  }

  async #hold(dependencies: Dependencies, bytes: number): Promise<void> {
    const { quota, heads } = dependencies;
    const { workspaceId, collectionId } = this;
    const slot = quota.takeSlot(workspaceId, bytes);
    const recordId = slot?.recordId ?? newId('record');
    const payload = payloadOf(bytes);
    const head = pushed({ workspaceId, collectionId, recordId }, { payload, ...author, keyed });
    const change = {
      kind: 'revision',
      write_id: head.write_id,
      record_id: recordId,
      version: 1,
      bytes,
    } as const;
    const reservation = slot?.reservation ?? (await quota.reserve(workspaceId, change, inBackground));
    const deliver = () => reservation.commit(() => heads.insert(head, inBackground));
    this.held.push({ deliver, recordId, bytes });
    if (slot !== undefined) this.heldInBlocks++;
  }

  /** Expects that the usage shows the bytes of the Records. */
  async check(): Promise<void> {
    const stored = this.records.values().reduce((sum, bytes) => sum + bytes, 0);
    for (const { usages } of replicas) {
      expect((await usages.show(this.workspaceId, inBackground)).storedBytes).toBe(stored);
    }
  }
}

test('whatever happens to blocks and their pushes, the usage is exact at any time, and so is its document in the end', async () => {
  const { db } = await platform.database('record-store');
  const documents = db.collection<StoredUsage>('usage');
  let heldInBlocks = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25 }), async (steps) => {
      const model = new Model();
      // Pushes at the same time open a block.
      await model.apply({ do: 'push', replica: 0, count: 4, bytes: 10 });
      for (const one of steps) {
        await model.apply(one);
        await model.check();
      }
      await replicas[0]!.quota.settleInDoubt(model.workspaceId, 0);
      while (model.held.length > 0) await model.apply({ do: 'deliver', replica: 0, which: 0 });
      for (const { quota } of replicas) await quota.flush();
      await replicas[1]!.quota.settleInDoubt(model.workspaceId, 0);
      await model.check();
      const stored = model.records.values().reduce((sum, bytes) => sum + bytes, 0);
      expect(await documents.findOne({ _id: model.workspaceId })).toEqual({
        _id: model.workspaceId,
        stored_bytes: stored,
        revisions: expect.any(Number),
        reservations: [],
      });
      heldInBlocks += model.heldInBlocks;
    }),
    { numRuns: 12 },
  );
  // Otherwise the runs showed nothing about blocks.
  expect(heldInBlocks).toBeGreaterThan(0);
}, 60_000);

test('one client opens a block with pushes that follow one another', async () => {
  const model = new Model();
  const usage = (await platform.database('record-store')).db.collection<StoredUsage>('usage');
  const open = { _id: model.workspaceId, 'reservations.kind': 'pushes' } as const;
  let pushes = 0;
  do await model.apply({ do: 'push', replica: 0, count: 1, bytes: 10 });
  while (++pushes < 100 && (await usage.findOne(open)) === null);
  expect(pushes).toBeLessThan(100);
  await model.check();
  await replicas[0]!.quota.flush();
});
