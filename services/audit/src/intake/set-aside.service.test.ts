import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { AuditEntry, PublishedEntry } from '@action-platform/contracts/audit';
import { AUDIT, EVENTS } from '@action-platform/contracts/bus';
import { verifyAudit } from '@action-platform/contracts/calls';
import { changeEventOf } from '@action-platform/contracts/change-events';
import { newId, newRequestId } from '@action-platform/contracts/ids';
import { listEntries } from '@action-platform/contracts/operations';
import { anEntry, anOwner, FailingMongod, TestPlatform, type TestProcess } from '@action-platform/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Db } from 'mongodb';
import { storeMessage } from '../test-support/store-message.ts';

const WINDOW_MS = 1_000;
type Owner = ReturnType<typeof anOwner>;

let mongod: FailingMongod;
let platform: TestPlatform;
let replicas: readonly TestProcess[];
let db: Db;
let stalled: Owner;
let neighbour: Owner;
beforeAll(async () => {
  mongod = await FailingMongod.start();
  platform = new TestPlatform({ mongodbUrl: mongod.url });
  await platform.startBeside('events');
  const environment = { AUDIT_WINDOW_MS: String(WINDOW_MS) };
  replicas = [await platform.spawn('audit', environment), await platform.spawn('audit', environment)];
  ({ db } = await platform.database('audit'));
});
afterAll(async () => {
  await platform.stop();
  await mongod.stop();
});
beforeEach(() => {
  [stalled, neighbour] = [anOwner(), anOwner()];
});

async function publish({ workspaceId, userId }: Owner, entries: readonly Partial<PublishedEntry>[]) {
  const ofOwner = { workspace_id: workspaceId, user_id: userId, at: new Date().toISOString() };
  const body = JSON.stringify({
    id: randomUUID(),
    entries: entries.map((entry) => anEntry({ ...ofOwner, ...entry })),
  });
  await storeMessage(platform, 'gateway', AUDIT, { id: randomUUID(), body });
}

async function change({ workspaceId, userId: user_id }: Owner, request_id: string) {
  const event = changeEventOf('record-store', {
    ...{ workspaceId, type: 'record.pushed', subject: newId('record'), time: new Date() },
    data: { actor: { user_id }, request_id },
  });
  const message = { workspaceId, id: event.id, body: JSON.stringify([event]) };
  await storeMessage(platform, 'record-store', EVENTS, message);
}

async function listed(owner: Owner, count: number): Promise<readonly AuditEntry[]> {
  for (;;) {
    const { entries } = (await platform.call(listEntries, owner, { limit: 200 })).result;
    if (entries.length >= count) return entries;
    await delay(50);
  }
}

const setAside = () => db.collection('set_aside').find({ workspace_id: stalled.workspaceId }).toArray();

async function hasWhole(owner: Owner, requests: readonly string[]) {
  const entries = await listed(owner, requests.length);
  expect(entries.map(({ request_id }) => request_id).toSorted()).toEqual(requests.toSorted());
  const verified = await platform.callAs('admin', verifyAudit, { workspace: owner.workspaceId });
  expect(verified).toMatchObject({ valid: true, found: [] });
}

test('a Workspace whose chain takes no entries delays no other, and has each of its entries once afterwards', async () => {
  const [entered, changed, late, last] = Array.from({ length: 4 }, newRequestId) as [
    string,
    string,
    string,
    string,
  ];
  const refuse = (validator: object) => db.command({ collMod: 'blocks', validator });
  await refuse({ workspace_id: { $ne: stalled.workspaceId } });
  await publish(stalled, [{ request_id: entered }]);
  await publish(neighbour, [{}]);
  await listed(neighbour, 1);

  // Another replica, which has seen no call, takes the changes of a call whose entry is set aside.
  await db.collection('progress').updateOne({}, { $unset: { lease: true } });
  for (const request_id of [entered, changed, late]) await change(stalled, request_id);
  while (!(await setAside()).some(({ source }) => source === `change ${late}`)) await delay(50);
  await publish(stalled, [{ request_id: late, at: new Date(Date.now() - WINDOW_MS).toISOString() }]);
  await publish(neighbour, [{}]);
  await listed(neighbour, 2);
  expect((await platform.call(listEntries, stalled, {})).result.entries).toEqual([]);

  await refuse({});
  await publish(stalled, [{ request_id: last }]);
  await db.collection('stalled').updateOne({}, { $set: { 'lease.until': new Date(0) } });
  await hasWhole(stalled, [entered, changed, late, last]);
  while ((await db.collection('stalled').countDocuments()) > 0) await delay(50);
  expect(await setAside()).toEqual([]);
});

test('a chain in which every next number is taken delays no other Workspace', async () => {
  await publish(neighbour, [{}]);
  await listed(neighbour, 1);
  const { workspaceId } = stalled;
  const blocks = db.collection<{ _id: string; workspace_id: string }>('blocks');
  const block = (await blocks.findOne({ workspace_id: neighbour.workspaceId }))!;
  const last = { ...block, workspace_id: workspaceId, _id: `${workspaceId}/999999999999`, sources: ['a'] };
  await blocks.insertMany([last, { ...last, _id: `${workspaceId}/1000000000001`, sources: ['b'] }]);
  await publish(stalled, [{}]);
  await publish(neighbour, [{}]);
  await listed(neighbour, 2);
  while ((await setAside()).length === 0) await delay(50);
});

test('while the database is away, all entries wait, and none is set aside', async () => {
  const request_id = newRequestId();
  const notPrimary = 10107;
  const failing = { command: 'insert', namespace: 'audit.blocks', failure: { errorCode: notPrimary } };
  const failed = 'the streams of the audit log cannot be read; trying again';
  await mongod.whileFailing(failing, async () => {
    await publish(stalled, [{ request_id }]);
    while (!replicas.some(({ lines }) => lines.join().includes(failed))) await delay(50);
    expect(await setAside()).toEqual([]);
  });
  await hasWhole(stalled, [request_id]);
});
