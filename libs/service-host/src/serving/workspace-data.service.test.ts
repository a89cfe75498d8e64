import { inBackground } from '@action-platform/contracts/calls';
import { byWorkspace, type Database, type StoredDocuments } from '@action-platform/mongo';
import { openTestDatabase } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pageOfExport } from './workspace-data.ts';

const SHELVES = 5;
const workspace_id = 'ws_a';

const common = { shardKey: 'workspace_id', ofWorkspace: byWorkspace } as const;
const documents: StoredDocuments[] = [
  { ...common, collection: 'shelves' },
  {
    ...common,
    collection: 'books',
    exported: {
      type: 'book',
      forEach: { collection: 'shelves', field: 'shelf' },
      order: { _id: 1 },
      data: ({ _id }) => ({ id: _id }),
    },
  },
];

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase('workspace-data');
  const shelves = Array.from({ length: SHELVES }, (_, shelf) => ({ _id: shelf as never, workspace_id }));
  await database.db.collection('shelves').insertMany(shelves);
  await database.db
    .collection('books')
    .insertMany([0, SHELVES - 1].map((shelf) => ({ shelf, workspace_id })));
});
afterAll(() => database.close());

test('a page of an export whose time is over ends also at a parent without documents, and the next page continues there', async () => {
  const pages: string[][] = [];
  let after: string | undefined;
  for (let next: string | null = ''; next !== null; after = next ?? undefined) {
    const page = await pageOfExport({ db: database.db, documents }, workspace_id, after, 0, inBackground);
    pages.push(page.lines);
    next = page.next;
    expect(pages.length).toBeLessThanOrEqual(SHELVES + 3);
  }
  expect(pages.map((lines) => lines.length)).toEqual([0, 1, 0, 0, 0, 0, 1, 0]);
});
