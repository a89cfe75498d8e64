import { randomUUID } from 'node:crypto';
import { inBackground, newId } from '@action-platform/contracts';
import { ExactJson } from '@action-platform/json';
import { TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Dependencies } from '../dependencies.ts';
import { recordStore } from '../service.ts';
import type { Head } from '../storage/stored-head.ts';
import { CrashTraces } from '../test-support/crash-traces.ts';
import { replicaOfItsOwn } from '../test-support/replica.ts';
import { TestWorkspace } from '../test-support/test-workspace.ts';
import { pushed, revised } from '../writes/next-head.ts';
import { RecordOutcomes } from './record-outcomes.ts';
import { recount } from './recount.ts';
import { decideAbandoned } from './recovering.ts';

const platform = new TestPlatform();
let traces: CrashTraces;
/** A replica whose single steps the tests take. */
let slow: Dependencies;
beforeAll(async () => {
  await platform.start([recordStore, recordStore]);
  traces = await CrashTraces.open(platform);
  slow = await replicaOfItsOwn(platform);
});
afterAll(() => platform.stop());

const TEN_BYTES = '{"a":"12"}';

/** A write of ten bytes that nobody has made. */
const unmade = (record_id: string, version: number) =>
  ({ kind: 'revision', write_id: randomUUID(), record_id, version, bytes: 10 }) as const;

/** The reservation of a push or replace. */
const changeOf = ({ _id: record_id, write_id, version, bytes }: Head) =>
  ({ kind: 'revision', write_id, record_id, version, bytes }) as const;

const revision = { payload: new ExactJson(TEN_BYTES), userId: 'user-owner', keyed: undefined };

/** What a push of ten bytes is going to insert. */
function pushOf({ owner, collectionId }: TestWorkspace): Head {
  return pushed({ workspaceId: owner.workspaceId, collectionId, recordId: newId('record') }, revision);
}

/** What MongoDB answers when the time of a command is over. */
const MAX_TIME_EXPIRED = 50;

/** A full Workspace, but for ten bytes that are in doubt. */
async function workspaceInDoubt(): Promise<{ workspace: TestWorkspace; id: string }> {
  const workspace = await TestWorkspace.create(platform);
  const id = await workspace.pushed(TEN_BYTES);
  await workspace.setQuota(20);
  return { workspace, id };
}

describe('a write that finds its room in doubt', () => {
  test.each(['push', 'replace'])('gets it when a %s in doubt was not made', async (kind) => {
    const { workspace, id } = await workspaceInDoubt();
    await traces.reserve(workspace, kind === 'push' ? unmade(newId('record'), 1) : unmade(id, 2));
    await traces.age();
    expect((await workspace.push(TEN_BYTES)).status).toBe(200);
    expect((await workspace.push(TEN_BYTES)).error.code).toBe('record_store_quota_exceeded');
    expect(await workspace.storedBytes()).toBe(20);
  });

  test('gets it at once when another has made the version since', async () => {
    const { workspace, id } = await workspaceInDoubt();
    await workspace.setQuota(30);
    await traces.reserve(workspace, unmade(id, 2));
    await workspace.replace(id, TEN_BYTES);
    expect((await workspace.push(TEN_BYTES)).status).toBe(200);
    expect((await workspace.push(TEN_BYTES)).error.code).toBe('record_store_quota_exceeded');
    expect(await workspace.storedBytes()).toBe(30);
  });

  test('leaves alone what is young, and is refused when that was made', async () => {
    const { workspace } = await workspaceInDoubt();
    const head = pushOf(workspace);
    const reservation = await slow.quota.reserve(head.workspace_id, changeOf(head), inBackground);
    const other = workspace.push(TEN_BYTES);
    expect(await reservation.commit(() => slow.heads.insert(head, inBackground))).toBe(true);
    expect((await other).error.code).toBe('record_store_quota_exceeded');
    expect((await workspace.get(head._id)).status).toBe(200);
    expect(await workspace.storedBytes()).toBe(20);
  });

  test('503 action_platform_unavailable, when it cannot be decided before the deadline', async () => {
    const { workspace } = await workspaceInDoubt();
    const { workspaceId } = workspace.owner;
    await traces.reserve(workspace, unmade(newId('record'), 1));
    const timed = { deadline: performance.now() + 100 };
    const refused = await slow.quota
      .reserve(workspaceId, unmade(newId('record'), 1), timed)
      .catch((error) => error);
    // The database may find the time over first.
    expect(['action_platform_unavailable', MAX_TIME_EXPIRED]).toContain(refused.code);
    expect(await workspace.storedBytes()).toBe(10);
  });

  test('is refused at once when what is beyond doubt leaves no room', async () => {
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

describe('a commit that comes after its reservation was decided', () => {
  test('inserts nothing, and the id it would have is unknown everywhere', async () => {
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

  test('changes nothing, even when the Record was archived and restored in between', async () => {
    const { workspace, id } = await workspaceInDoubt();
    const head = await traces.head(id);
    const next = revised(head, revision);
    const reservation = await slow.quota.reserve(head.workspace_id, changeOf(next), inBackground);
    await traces.age();
    await workspace.pushed(TEN_BYTES);
    await workspace.archive(id);
    await workspace.restore(id);
    expect(await reservation.commit(() => slow.heads.replace(head, next, inBackground))).toBe(false);
    expect((await workspace.get(id)).result.record.version).toBe(1);
    expect(await workspace.storedBytes()).toBe(20);
  });
});

test('writers that are aborted while they are alive begin anew, and everything stays right', async () => {
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

test('what cannot be decided in one Workspace stays in doubt, and keeps no other waiting', async () => {
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
  expect(await decideAbandoned(slow)).toBe(1);
  expect(await reserved()).toEqual([workspaceId]);
  await db.command({ collMod, validator: {} });
  expect(await decideAbandoned(slow)).toBe(0);
  expect(await reserved()).toEqual([]);
});
