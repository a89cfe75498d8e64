import { setImmediate } from 'node:timers/promises';
import { inBackground } from '@action-platform/contracts/calls';
import { defaultLimits } from '@action-platform/contracts/limits';
import { TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Collection } from 'mongodb';
import { PooledWrites } from './pooled-writes.ts';
import type { StoredUsage } from './stored-usage.ts';
import type { ReservationRequest } from './usage-commands.ts';
import { WorkspaceUsage } from './workspace-usage.ts';

const platform = new TestPlatform();
let documents: Collection<StoredUsage>;
let records: Collection<{ _id: string }>;
let pool: PooledWrites;
beforeAll(async () => {
  const { client, db } = await platform.database('record-store');
  documents = db.collection('usage');
  records = db.collection('records');
  pool = new PooledWrites(client);
});
afterAll(() => platform.stop());

let workspaces = 0;
let workspaceId: string;
let usage: WorkspaceUsage;
beforeEach(() => {
  workspaceId = `ws_${workspaces++}`;
  ({ usage } = replica());
});

/** The usage of the Workspace in another replica, with promises that resolve when it is idle and when it fails. */
function replica(defaultQuota = 100) {
  const idle = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<unknown>();
  const usage = new WorkspaceUsage({
    ...{ usage: documents, pool, workspaceId, defaultQuota, largestChange: 100 },
    mostRevisions: defaultLimits.WORKSPACE_REVISIONS_MAX,
    onIdle: idle.resolve,
    onError: failed.resolve,
  });
  return { usage, idle: idle.promise, failed: failed.promise };
}

/** A push of a Record of this size. */
const pushOf = (name: string, bytes = 10) => {
  const _id = `${workspaceId} ${name}`;
  return {
    change: { kind: 'revision', write_id: name, record_id: _id, version: 1, bytes },
    insertion: { name: 'insertOne', namespace: records.namespace, document: { _id } },
  } as const;
};

/** A request to reserve a revision without an insertion. */
const revision = (name: string, bytes?: number) => ({ change: pushOf(name, bytes).change });

/** Makes a reservation without a deadline. */
const reserve = (request: ReservationRequest) => usage.reserve(request, inBackground);

/** Makes reservations in one tick of the event loop, which share one command. */
const together = (requests: ReservationRequest[]) => Promise.all(requests.map((request) => reserve(request)));

/** The Records of the Workspace, its reserved changes and its recorded bytes. */
async function stored() {
  const found = await records.find({ _id: { $regex: `^${workspaceId} ` } }, { sort: { _id: 1 } }).toArray();
  const { reservations = [], stored_bytes = 0 } = (await documents.findOne({ _id: workspaceId })) ?? {};
  return {
    records: found.map(({ _id }) => _id.slice(workspaceId.length + 1)),
    reserved: reservations.map(({ write_id }) => write_id),
    bytes: stored_bytes,
  };
}

/** Makes every update of the usage fail; returns a function that repairs the document. */
async function breakUsage(): Promise<() => Promise<void>> {
  const convert = async (by: '$toString' | '$toInt') => {
    await documents.updateOne({ _id: workspaceId }, [{ $set: { stored_bytes: { [by]: '$stored_bytes' } } }]);
  };
  await convert('$toString');
  return () => convert('$toInt');
}

describe('an insertion in one command with its reservation', () => {
  test('is made, with all others in the command', async () => {
    const made = { isReserved: true, isInserted: true };
    expect(await reserve(pushOf('first'))).toEqual(made);
    expect(await together([pushOf('a'), pushOf('b')])).toEqual([made, made]);
    expect(await stored()).toEqual({
      records: ['a', 'b', 'first'],
      reserved: ['first', 'a', 'b'],
      bytes: 30,
    });
    // Recovery looks for the oldest.
    const { reservations, reserved_since } = (await documents.findOne({ _id: workspaceId }))!;
    expect(reserved_since).toEqual(reservations[0]!.at);
  });

  test('may share the command with reservations of other changes', async () => {
    const [, push] = await together([revision('replace'), pushOf('push')]);
    expect(push).toEqual({ isReserved: true, isInserted: true });
    expect(await stored()).toEqual({ records: ['push'], reserved: ['replace', 'push'], bytes: 20 });
  });

  test('is not made when its key is taken; the insertions after it keep their reservations and are not made yet', async () => {
    await records.insertOne({ _id: pushOf('taken').change.record_id });
    const answers = await together(['before', 'taken', 'behind', 'last'].map((name) => pushOf(name)));
    expect(answers).toEqual([
      { isReserved: true, isInserted: true },
      { isReserved: true, isInserted: false },
      { isReserved: true },
      { isReserved: true },
    ]);
    const reserved = ['before', 'taken', 'behind', 'last'];
    expect(await stored()).toEqual({ records: ['before', 'taken'], reserved, bytes: 40 });
  });

  test('is not made when not all in the command fit', async () => {
    const answers = await together([pushOf('fits', 60), pushOf('too large', 60), pushOf('fits too', 40)]);
    expect(answers).toEqual([
      { isReserved: true },
      { isReserved: false, quotaBytes: 100, certainBytes: 0, revisions: 0 },
      { isReserved: true },
    ]);
    expect(await stored()).toEqual({ records: [], reserved: ['fits', 'fits too'], bytes: 100 });
  });

  test('may use the room that decisions in the same command release', async () => {
    await reserve(revision('large', 100));
    usage.settle('large', 100);
    expect(await reserve(pushOf('next', 100))).toEqual({ isReserved: true, isInserted: true });
    expect(await stored()).toEqual({ records: ['next'], reserved: ['next'], bytes: 100 });
  });

  test('is tried again after a reservation fitted', async () => {
    expect((await reserve(pushOf('too large', 101))).isReserved).toBe(false);
    expect(await reserve(pushOf('next'))).toEqual({ isReserved: true });
    expect(await reserve(pushOf('last'))).toEqual({ isReserved: true, isInserted: true });
  });

  test('is in doubt after an error, and its room stays reserved', async () => {
    // As if the command had taken effect and its answer had been lost.
    await reserve(pushOf('unsure'));
    const repair = await breakUsage();
    const unsure = replica();
    await expect(unsure.usage.reserve(pushOf('unsure'), inBackground)).rejects.toThrow();
    await repair();
    await unsure.usage.flush();
    expect(await stored()).toEqual({ records: ['unsure'], reserved: ['unsure'], bytes: 10 });
  });
});

describe('the usage of a Workspace', () => {
  const expectStored = async (bytes: number) =>
    expect(await documents.findOne({ _id: workspaceId })).toEqual({
      _id: workspaceId,
      stored_bytes: bytes,
      revisions: 0,
      reservations: [],
    });

  test('enters a decision alone when no reservation follows', async () => {
    await reserve(revision('w1'));
    for (const released of [0, 10]) {
      const { usage, idle } = replica();
      usage.settle('w1', released);
      await idle;
      await expectStored(10);
    }
  });

  test('enters revisions of a block that has a push without an outcome', async () => {
    const { usage } = replica(1000);
    usage.takeSlot(10);
    usage.takeSlot(10);
    await usage.reserve(pushOf('opens a block'), inBackground);
    const [made, open] = [usage.takeSlot(10)!, usage.takeSlot(10)];
    expect(open).toBeDefined();
    usage.settleSlot(made, true);
    await usage.flush();
    expect(await documents.findOne({ _id: workspaceId })).toMatchObject({ revisions: 1 });
  });

  test('becomes idle after a reservation that did not fit', async () => {
    const { usage, idle } = replica();
    expect((await usage.reserve(pushOf('too large', 101), inBackground)).isReserved).toBe(false);
    await idle;
  });

  test('tries again when entering a decision failed', async () => {
    await reserve(revision('w1'));
    const repair = await breakUsage();
    const { usage, idle, failed } = replica();
    usage.settle('w1', 10);
    expect(await failed).toBeInstanceOf(Error);
    await repair();
    await idle;
    await expectStored(0);
  });

  test('ends a block soon when no push follows, also when decisions were entered after it was opened', async () => {
    const { usage, idle } = replica(1000);
    // Two pushes in a short time find no block.
    expect([usage.takeSlot(10), usage.takeSlot(10)]).toEqual([undefined, undefined]);
    const reserved = usage.reserve(pushOf('w1'), inBackground);
    const entered = reserved.then(() => usage.settle('w1', 0));
    await setImmediate();
    await Promise.all([entered, usage.flush()]);
    expect(await documents.findOne({ _id: workspaceId })).toMatchObject({
      stored_bytes: 110,
      reservations: [{ kind: 'pushes', bytes: 100 }],
    });
    await idle;
    await expectStored(10);
  });

  test('releases a reservation whose outcome is unknown', async () => {
    // As if the update had taken effect and its answer had been lost.
    await reserve(revision('w1'));
    const repair = await breakUsage();
    const { usage, idle } = replica();
    await expect(usage.reserve(revision('w1'), inBackground)).rejects.toThrow();
    await repair();
    await idle;
    await expectStored(0);
  });
});
