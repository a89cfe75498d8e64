import { inBackground } from '@action-platform/contracts/calls';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Dependencies } from '../dependencies.ts';
import { replicaOfItsOwn } from '../test-support/replica.ts';
import { recordStores, TestWorkspace } from '../test-support/test-workspace.ts';
import type { Head } from './stored-head.ts';

const platform = recordStores(1);
let replica: Dependencies;
let workspace: TestWorkspace;
beforeAll(async () => {
  replica = await replicaOfItsOwn(platform);
});
beforeEach(async () => {
  workspace = await TestWorkspace.create(platform);
});

const payloads = (name: string, versions: number) =>
  Array.from({ length: versions }, (_, index) => `{"${name}":${index + 1}}`);

/** A Record with this many revisions, whose payloads name it and their version. */
async function recordOf(name: string, versions: number, of = workspace): Promise<string> {
  const [first, ...others] = payloads(name, versions);
  const id = await of.pushed(first);
  for (const payload of others) await of.replace(id, payload);
  return id;
}

const headOf = (recordId: string, { owner, collectionId } = workspace) =>
  replica.heads.get({ workspaceId: owner.workspaceId, collectionId, recordId }, inBackground);

/** The payloads of a history that is read at once; undefined for a streamed one. */
async function readAtOnce(head: Head, after = 0): Promise<string[] | undefined> {
  const all = await replica.revisions.all(head, after, inBackground);
  return Array.isArray(all) ? all.map(({ payload }) => payload) : undefined;
}

describe('small histories', () => {
  test('in one read each go to their own caller, also those of different Workspaces', async () => {
    const other = await TestWorkspace.create(platform);
    const heads = await Promise.all([
      recordOf('a', 3).then((id) => headOf(id)),
      recordOf('b', 1).then((id) => headOf(id)),
      recordOf('c', 5, other).then((id) => headOf(id, other)),
      recordOf('d', 2).then((id) => headOf(id)),
    ]);
    const [a, b, c, d] = heads as [Head, Head, Head, Head];
    const found = await Promise.all([a, b, c, d, a, c].map((head) => readAtOnce(head)));
    const [ofA, ofB, ofC, ofD] = [payloads('a', 3), payloads('b', 1), payloads('c', 5), payloads('d', 2)];
    expect(found).toEqual([ofA, ofB, ofC, ofD, ofA, ofC]);
  });

  test('end with the requested head, also when later revisions exist', async () => {
    const id = await recordOf('a', 2);
    const earlier = await headOf(id);
    await workspace.replace(id, '{"a":3}');
    await workspace.replace(id, '{"a":4}');
    const now = await headOf(id);
    const found = await Promise.all([readAtOnce(earlier), readAtOnce(now)]);
    expect(found).toEqual([payloads('a', 2), payloads('a', 4)]);
  });

  test('begin after a version', async () => {
    expect(await readAtOnce(await headOf(await recordOf('a', 4)), 2)).toEqual(payloads('a', 4).slice(2));
  });

  test('record_store_record_not_found, when the Record was deleted meanwhile', async () => {
    const id = await recordOf('a', 3);
    const head = await headOf(id);
    await workspace.archive(id);
    await workspace.delete(id);
    await expect(readAtOnce(head)).rejects.toMatchObject({ code: 'record_store_record_not_found' });
  });
});

test.each([
  ['many bytes', { stored_bytes: 300_000 }],
  ['many revisions', { version: 2_000 }],
])('a history of %s is not read at once', async (_, large) => {
  const head = await headOf(await recordOf('a', 2));
  expect(await readAtOnce({ ...head, ...large })).toBeUndefined();
});
