import { callService } from '@action-platform/bus';
import { exportCall } from '@action-platform/contracts/calls';
import { byWorkspace, type StoredDocuments } from '@action-platform/mongo';
import { expect, test } from '@jest/globals';
import { serviceOf, serving } from '../test-support/serving.ts';

const SHELVES = 4_000;
/** Of a page: too little to read the books of all shelves, as each shelf takes a query. */
const TIMEOUT_MS = 1_000;

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

const platform = serving({
  ...serviceOf('record-store', []),
  start: async ({ openDatabase }) => {
    const { db } = await openDatabase();
    return { calls: [], collections: async () => [], stored: { db, documents } };
  },
});

test('a page of an export ends in time, though it comes to thousands of parents without documents', async () => {
  const { db } = await platform.database('record-store');
  const workspace_id = 'ws_a';
  const shelves = Array.from({ length: SHELVES }, (_, shelf) => ({ _id: shelf as never, workspace_id }));
  await db.collection('shelves').insertMany(shelves);
  await db.collection('books').insertMany([0, SHELVES - 1].map((shelf) => ({ shelf, workspace_id })));

  const admin = await platform.connect('admin');
  const lines: string[] = [];
  let after: string | undefined;
  for (let pages = 0, next: string | null = ''; next !== null; pages++) {
    expect(pages).toBeLessThan(100);
    const input = { workspace: workspace_id, after };
    const page = await callService(admin, exportCall('record-store'), input, { timeoutMs: TIMEOUT_MS });
    lines.push(...page.lines);
    next = page.next;
    after = page.next ?? undefined;
  }
  expect(lines).toHaveLength(2);
});
