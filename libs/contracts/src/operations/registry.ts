import type { Operation } from './operation.ts';
import { archiveRecord } from './record-store/archive-record.ts';
import { createCollection } from './record-store/create-collection.ts';
import { deleteRecord } from './record-store/delete-record.ts';
import { getRecord } from './record-store/get-record.ts';
import { getRecordHistory } from './record-store/get-record-history.ts';
import { listCollections } from './record-store/list-collections.ts';
import { listRecords } from './record-store/list-records.ts';
import { patchRecord } from './record-store/patch-record.ts';
import { pushRecord } from './record-store/push-record.ts';
import { replaceRecord } from './record-store/replace-record.ts';
import { restoreRecord } from './record-store/restore-record.ts';

const all: readonly Operation[] = [
  archiveRecord,
  createCollection,
  deleteRecord,
  getRecord,
  getRecordHistory,
  listCollections,
  listRecords,
  patchRecord,
  pushRecord,
  replaceRecord,
  restoreRecord,
];

/** Every operation of the platform by id, sorted by id. */
export const operations: ReadonlyMap<string, Operation> = new Map(
  all.map((operation) => [operation.id, operation] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
);
