import { inBackground } from '@action-platform/contracts/calls';
import { openTestDatabase } from '@action-platform/testing';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { Collection } from 'mongodb';
import type { Database } from '../database.ts';
import { erasePart } from './erase.ts';
import { type ExportStep, exportFrom } from './export.ts';
import { hasDocuments } from './has-documents.ts';
import { byMember, byWorkspace, type StoredDocuments } from './stored-documents.ts';

const common = { shardKey: 'workspace_id', ofWorkspace: byWorkspace } as const;
const data = ({ _id }: { _id?: unknown }) => ({ id: _id });
const declared: StoredDocuments[] = [
  { ...common, collection: 'shelves', exported: { type: 'shelf', order: { _id: 1 }, data } },
  {
    ...common,
    collection: 'books',
    exported: {
      type: 'book',
      forEach: { collection: 'shelves', field: 'shelf' },
      filter: { lent: false },
      order: { _id: 1 },
      data,
    },
  },
  { ...common, collection: 'secrets' },
  {
    ...common,
    collection: 'loans',
    ofMember: byMember,
    parts: { collection: 'reminders', field: 'loan' },
    exported: { type: 'loan', order: { user_id: 1, at: -1 }, data },
  },
  { collection: 'reminders', shardKey: '_id' },
];

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase('stored');
  for (const workspace_id of ['mine', 'theirs']) {
    const insert = (collection: string, documents: object[]) =>
      database.db
        .collection(collection)
        .insertMany(documents.map((document) => ({ ...document, workspace_id })) as never);
    const id = (name: string | number) => `${workspace_id}-${name}`;
    await insert('shelves', [{ _id: id(1) }, { _id: id(2) }, { _id: id(3) }]);
    const places = [1, 1, 3, 3, 1] as const;
    const books = places.map((shelf, n) => ({ _id: id(n), shelf: id(shelf), lent: n === 4 }));
    await insert('books', books);
    await insert('secrets', [{ secret: 's' }]);
    const users = [null, null, 'ada', 'ada', 'bob'];
    await insert(
      'loans',
      users.map((user_id, n) => ({ _id: id(n), user_id, at: new Date(n) })),
    );
    const reminders = users.map((_, n) => ({ loan: id(n) }));
    await database.db.collection('reminders').insertMany(reminders);
  }
});
afterAll(() => database.close());

/** The lines of an export; the beginning of a parent has none. */
const texts = (steps: readonly ExportStep[]) =>
  steps.flatMap(({ line }) => (line === undefined ? [] : `${line.type} ${(line.data as { id: string }).id}`));

test('an export has each document of the Workspace once, in order, and continues after any of them', async () => {
  const exportAfter = (after?: string) => exportFrom(database.db, declared, 'mine', after, inBackground);
  const all = await Array.fromAsync(exportAfter());
  expect(texts(all)).toEqual([
    ...['shelf mine-1', 'shelf mine-2', 'shelf mine-3'],
    ...['book mine-0', 'book mine-1', 'book mine-2', 'book mine-3'],
    ...['loan mine-1', 'loan mine-0', 'loan mine-3', 'loan mine-2', 'loan mine-4'],
  ]);
  for (const [index, { next }] of all.entries()) {
    const afterFirst = await Array.fromAsync(exportAfter(next()));
    expect(texts(afterFirst)).toEqual(texts(all.slice(index + 1)));
  }
  expect(all.filter(({ line }) => line === undefined)).toHaveLength(3);
  for (const forged of [
    '',
    '{',
    'null',
    '["sheets",["1"]]',
    '["shelves"]',
    '["shelves",[]]',
    '["shelves","1"]',
    '["books",[]]',
    '["books",["mine-1",1,2]]',
  ])
    await expect(Array.fromAsync(exportAfter(forged))).rejects.toMatchObject({ code: 'invalid_request' });
});

test('an erasure deletes the documents of a user, or of a Workspace, with their parts, and no others', async () => {
  const erase = (place: { workspaceId: string; userId?: string }) =>
    erasePart(database.db, declared, place, inBackground);
  const count = (collection: string, filter = {}) =>
    database.db.collection(collection).countDocuments(filter);
  expect(await erase({ workspaceId: 'mine', userId: 'ada' })).toEqual({ isDone: true, removed: 2 });
  expect(await count('loans', { user_id: 'ada', workspace_id: 'theirs' })).toBe(2);
  expect(await count('reminders')).toBe(8);
  const isStored = (workspaceId: string) => hasDocuments(database.db, declared, workspaceId, inBackground);
  expect(await isStored('mine')).toBe(true);
  expect(await erase({ workspaceId: 'mine' })).toEqual({ isDone: true, removed: 12 });
  expect([await isStored('mine'), await isStored('theirs')]).toEqual([false, true]);
  expect(await erase({ workspaceId: 'mine' })).toEqual({ isDone: true, removed: 0 });
  for (const [collection, left] of Object.entries({
    shelves: 3,
    books: 5,
    secrets: 1,
    loans: 5,
    reminders: 5,
  })) {
    expect({ collection, left: await count(collection) }).toEqual({ collection, left });
  }
});

test('an erasure deletes many parts of one document in several commands', async () => {
  const { db } = database;
  await db.collection('loans').insertOne({ _id: 'long' as never, workspace_id: 'long' });
  await db.collection('reminders').insertMany(Array.from({ length: 2_500 }, () => ({ loan: 'long' })));
  const deleting = jest.spyOn(Collection.prototype, 'deleteMany');
  try {
    await erasePart(db, declared, { workspaceId: 'long' }, inBackground);
    const results = await Promise.all(deleting.mock.results.map(({ value }) => value));
    const counts = results.map((result) => (result as { deletedCount: number }).deletedCount);
    expect(counts).toEqual([1_000, 1_000, 500, 1]);
  } finally {
    deleting.mockRestore();
  }
});
