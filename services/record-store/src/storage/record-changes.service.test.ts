import { inBackground } from '@action-platform/contracts/calls';
import { EventReader, scheduled } from '@action-platform/testing';
import { beforeAll, expect, test } from '@jest/globals';
import { author } from '../test-support/author.ts';
import { replicaOfItsOwn } from '../test-support/replica.ts';
import { recordStores, TestWorkspace } from '../test-support/test-workspace.ts';
import { withState } from '../writes/next-head.ts';
import type { StoredRevision } from './stored-revision.ts';

const platform = recordStores(2);
let reader: EventReader;
beforeAll(async () => {
  reader = await EventReader.open(platform);
});

test('every commit of a Record is one event, in order, with its sequence, version, state and origin; a revision keeps its own', async () => {
  const workspace = await TestWorkspace.create(platform);
  const { collectionId: collection_id, owner } = workspace;
  const job = scheduled(owner, { data: { collectionIds: [collection_id] }, invocationId: 'run-7' });
  const record_id = await workspace.pushed('{"secret":1}', { idempotency_key: 'k' });
  await workspace.pushed('{"secret":1}', { idempotency_key: 'k' });
  await workspace.replace(record_id, '{"secret":2}', {}, job);
  await workspace.patch(record_id, '{"secret":3}');
  await workspace.archive(record_id);
  await workspace.archive(record_id);
  await workspace.replace(record_id, '{}');
  await workspace.restore(record_id);
  await workspace.replace(record_id, '{"secret":4}');
  const { db } = await platform.database('record-store');
  const revisions = await db.collection<StoredRevision>('revisions').find({ record_id }).toArray();
  const commits = revisions.map(({ version, commit }) => `${version} ${commit.type} ${commit.sequence}`);
  expect(commits.toSorted()).toEqual(['1 pushed 1', '2 replaced 2', '3 patched 3']);
  await workspace.archive(record_id);
  await workspace.delete(record_id);
  await workspace.delete(record_id);
  await reader.until(owner.workspaceId, 9);
  const [created, ...events] = await reader.read(owner.workspaceId);
  expect(created).toMatchObject({
    type: 'collection.created',
    subject: collection_id,
    source: `/workspaces/${owner.workspaceId}/record-store`,
    data: { collection_id, actor: { user_id: 'user-owner' }, request_id: expect.any(String) },
  });
  expect(
    events.map(({ type, data: { sequence, version, state } }) => `${type} ${sequence} ${version} ${state}`),
  ).toEqual([
    'record.pushed 1 1 active',
    'record.replaced 2 2 active',
    'record.patched 3 3 active',
    'record.archived 4 3 archived',
    'record.restored 5 3 active',
    'record.replaced 6 4 active',
    'record.archived 7 4 archived',
    'record.deleted 8 4 deleted',
  ]);
  for (const { subject, data } of events)
    expect([subject, data.collection_id]).toEqual([record_id, collection_id]);
  const actor = { user_id: 'user-owner', grant_id: job.routine!.id, invocation_id: 'run-7' };
  expect(events[1]!.data.actor).toEqual(actor);
  expect(new Set(events.map(({ data }) => data.request_id)).size).toBe(8);
  expect(JSON.stringify(events)).not.toContain('secret');
});

test('a write that read a Record before an archive and a restore does not take their sequence', async () => {
  const workspace = await TestWorkspace.create(platform);
  const { collectionId, owner } = workspace;
  const { heads } = await replicaOfItsOwn(platform);
  const recordId = await workspace.pushed();
  const reference = { workspaceId: owner.workspaceId, collectionId, recordId };
  const read = await heads.get(reference, inBackground);
  await workspace.archive(recordId);
  await workspace.restore(recordId);
  expect(await heads.replace(read, withState(read, 'archived', author), inBackground)).toBe(false);
  const now = await heads.get(reference, inBackground);
  expect(await heads.replace(now, withState(now, 'archived', author), inBackground)).toBe(true);
});
