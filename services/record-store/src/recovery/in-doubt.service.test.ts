import { inBackground } from '@action-platform/contracts/calls';
import { newId } from '@action-platform/contracts/ids';
import { ExactJson } from '@action-platform/json';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Dependencies } from '../dependencies.ts';
import type { Head } from '../storage/stored-head.ts';
import { author } from '../test-support/author.ts';
import { type CrashTraces, openCrashTraces, TEN_BYTES, unmade } from '../test-support/crash-traces.ts';
import { replicaOfItsOwn, unstopped } from '../test-support/replica.ts';
import { recordStores, TestWorkspace } from '../test-support/test-workspace.ts';
import { pushed, revised } from '../writes/next-head.ts';
import { push } from '../writes/push.ts';
import { RecordOutcomes } from './record-outcomes.ts';
import { recount } from './recount.ts';
import { decideAbandoned } from './recovering.ts';

const platform = recordStores(2);
let traces: CrashTraces;
/** A replica whose steps the tests run one by one. */
let slow: Dependencies;
beforeAll(async () => {
  traces = await openCrashTraces(platform);
  slow = await replicaOfItsOwn(platform);
});

/** The reservation of a push or replace. */
const changeOf = ({ _id: record_id, write_id, version, bytes }: Head) =>
  ({ kind: 'revision', write_id, record_id, version, bytes }) as const;

const revision = { payload: new ExactJson(TEN_BYTES), ...author, keyed: undefined };

/** The head that a push of ten bytes would insert. */
function pushOf({ owner, collectionId }: TestWorkspace): Head {
  return pushed({ workspaceId: owner.workspaceId, collectionId, recordId: newId('record') }, revision);
}

/** MongoDB's error code for a command that exceeded its time limit. */
const MAX_TIME_EXPIRED = 50;

/** A Workspace with room for ten bytes, which the tests reserve and leave in doubt. */
async function workspaceInDoubt(): Promise<{ workspace: TestWorkspace; id: string }> {
  const workspace = await TestWorkspace.create(platform);
  const id = await workspace.pushed(TEN_BYTES);
  await workspace.setQuota(20);
  return { workspace, id };
}

describe('a write that needs room in doubt', () => {
  test.each(['push', 'replace'])('gets it when a %s in doubt was not made', async (kind) => {
    const { workspace, id } = await workspaceInDoubt();
    await traces.reserve(workspace, kind === 'push' ? unmade(newId('record'), 1) : unmade(id, 2));
    await traces.age();
    expect((await workspace.push(TEN_BYTES)).status).toBe(200);
    expect((await workspace.push(TEN_BYTES)).error.code).toBe('record_store_quota_exceeded');
    expect(await workspace.storedBytes()).toBe(20);
  });

  test('gets it at once when another write has made the version', async () => {
    const { workspace, id } = await workspaceInDoubt();
    await workspace.setQuota(30);
    await traces.reserve(workspace, unmade(id, 2));
    await workspace.replace(id, TEN_BYTES);
    expect((await workspace.push(TEN_BYTES)).status).toBe(200);
    expect((await workspace.push(TEN_BYTES)).error.code).toBe('record_store_quota_exceeded');
    expect(await workspace.storedBytes()).toBe(30);
  });

  test('waits for a young reservation, and is refused when its write was made', async () => {
    const { workspace } = await workspaceInDoubt();
    const head = pushOf(workspace);
    const reservation = await slow.quota.reserve(head.workspace_id, changeOf(head), inBackground);
    const other = workspace.push(TEN_BYTES);
    expect(await reservation.commit(() => slow.heads.insert(head, inBackground))).toBe(true);
    expect((await other).error.code).toBe('record_store_quota_exceeded');
    expect((await workspace.get(head._id)).status).toBe(200);
    expect(await workspace.storedBytes()).toBe(20);
  });

  test('503 action_platform_unavailable: when the reservation stays in doubt until the deadline', async () => {
    const { workspace } = await workspaceInDoubt();
    const { workspaceId } = workspace.owner;
    await traces.reserve(workspace, unmade(newId('record'), 1));
    const timed = { deadline: performance.now() + 1_000 };
    const refused = await slow.quota
      .reserve(workspaceId, unmade(newId('record'), 1), timed)
      .catch((error) => error);
    // The time limit of the command may end before the deadline; the error of several writes has that error as its cause.
    expect(['action_platform_unavailable', MAX_TIME_EXPIRED]).toContain(refused.code ?? refused.cause?.code);
    expect(await workspace.storedBytes()).toBe(10);
  });

  test('is refused at once when the certain bytes leave no room', async () => {
    const { workspace } = await workspaceInDoubt();
    const inDoubt = unmade(newId('record'), 1);
    await traces.reserve(workspace, inDoubt);
    await traces.age();
    const tooMuch = `{"a":"${'x'.repeat(20)}"}`;
    expect((await workspace.push(tooMuch)).error.code).toBe('record_store_quota_exceeded');
    const { reservations } = (await traces.usage.findOne({ _id: workspace.owner.workspaceId }))!;
    expect(reservations).toContainEqual({ ...inDoubt, at: expect.any(Date) });
  });
});

describe('a commit after recovery decided its reservation', () => {
  test('inserts nothing, and no operation finds its id', async () => {
    const { workspace, id } = await workspaceInDoubt();
    const head = pushOf(workspace);
    const reservation = await slow.quota.reserve(head.workspace_id, changeOf(head), inBackground);
    await traces.age();
    const other = await workspace.pushed(TEN_BYTES);
    expect(await reservation.commit(() => slow.heads.insert(head, inBackground))).toBe(false);

    for (const answer of [
      await workspace.get(head._id),
      await workspace.history(head._id),
      await workspace.replace(head._id, TEN_BYTES),
      await workspace.archive(head._id),
      await workspace.restore(head._id),
      await workspace.delete(head._id),
    ]) {
      expect(answer.error.code).toBe('record_store_record_not_found');
    }
    const { records } = (await workspace.list({ state: 'all' })).result;
    expect(records.map((record) => record.id)).toEqual([id, other]);
    expect(await workspace.storedBytes()).toBe(20);
  });

  test('inserts nothing under the id of a block, and the next push uses another', async () => {
    const workspace = await TestWorkspace.create(platform);
    const { owner, collectionId } = workspace;
    const { workspaceId } = owner;
    const onSlow = () => push(slow, { ...revision, workspaceId, collectionId, ...inBackground });
    // Four pushes open a block.
    await onSlow();
    await Promise.all([onSlow(), onSlow(), onSlow()]);
    const slot = slow.quota.takeSlot(workspaceId, 10)!;
    const head = pushed({ workspaceId, collectionId, recordId: slot.recordId }, revision);
    await slow.quota.settleInDoubt(workspaceId, 0);
    expect(await workspace.storedBytes()).toBe(40);
    expect(await slot.reservation.commit(() => slow.heads.insert(head, inBackground))).toBe(false);
    expect((await workspace.get(head._id)).error.code).toBe('record_store_record_not_found');
    expect(slow.quota.takeSlot(workspaceId, 10)).toBeUndefined();
    await slow.quota.flush();
    expect(await workspace.storedBytes()).toBe(40);
  });

  test.each([
    ['changes nothing', false],
    ['changes nothing, also when the Record was archived and restored in between', true],
  ])('%s', async (_what, isArchived) => {
    const { workspace, id } = await workspaceInDoubt();
    const head = await traces.head(id);
    const next = revised(head, { ...revision, type: 'replaced' });
    const reservation = await slow.quota.reserve(head.workspace_id, changeOf(next), inBackground);
    await traces.age();
    await workspace.pushed(TEN_BYTES);
    if (isArchived) {
      await workspace.archive(id);
      await workspace.restore(id);
    }
    expect(await reservation.commit(() => slow.heads.replace(head, next, inBackground))).toBe(false);
    expect((await workspace.get(id)).result.record.version).toBe(1);
    expect(await workspace.storedBytes()).toBe(20);
  });
});

test('live writers whose attempts recovery aborts start again, and every answer and the usage are right', async () => {
  const workspace = await TestWorkspace.create(platform);
  const { workspaceId } = workspace.owner;
  const outcomes = new RecordOutcomes(traces.heads, traces.revisions);
  const abortAll = async () => {
    for (let pass = 0; pass < 100; pass++) {
      const usage = await traces.usage.findOne({ _id: workspaceId });
      if (usage !== null) await outcomes.decide(workspaceId, usage.reservations);
      await slow.quota.settleInDoubt(workspaceId, 0);
    }
  };
  const write = async (writer: number) => {
    const ids: string[] = [];
    for (let n = 0; n < 8; n++) {
      const key = { idempotency_key: `${writer} ${n}` };
      const id = await workspace.pushed(TEN_BYTES, n % 2 === 0 ? key : {});
      ids.push(id);
      expect((await workspace.replace(id, TEN_BYTES, key)).result.record.version).toBe(2);
      if (n % 4 !== 3) continue;
      await workspace.archive(id);
      expect((await workspace.delete(id)).status).toBe(200);
    }
    return ids;
  };
  const aborting = abortAll();
  const ids = (await Promise.all(Array.from({ length: 6 }, (_, writer) => write(writer)))).flat();
  await aborting;

  const { records } = (await workspace.list({ limit: 200 })).result;
  expect(records).toHaveLength(ids.length * 0.75);
  expect(records.every(({ id, version }) => ids.includes(id) && version === 2)).toBe(true);
  expect(await workspace.storedBytes()).toBe(records.length * 20);
  const { storedBytes, driftBytes } = await recount(slow, workspaceId, inBackground);
  expect([storedBytes, driftBytes]).toEqual([records.length * 20, 0]);
});

test('a Workspace in which deciding fails keeps its reservations in doubt, and does not delay the others', async () => {
  const [stuck, other] = [await workspaceInDoubt(), await workspaceInDoubt()];
  for (const { workspace } of [stuck, other]) await traces.reserve(workspace, unmade(newId('record'), 1));
  await traces.age();
  const { db, collectionName: collMod } = traces.usage;
  const { workspaceId } = stuck.workspace.owner;
  const reserved = async () => {
    const left = await traces.usage.find({ 'reservations.0': { $exists: true } }).toArray();
    return left.map(({ _id }) => _id);
  };
  await db.command({ collMod, validator: { _id: { $ne: workspaceId } } });
  expect(await decideAbandoned(slow, unstopped)).toBe(1);
  expect(await reserved()).toEqual([workspaceId]);
  await db.command({ collMod, validator: {} });
  expect(await decideAbandoned(slow, unstopped)).toBe(0);
  expect(await reserved()).toEqual([]);
});
