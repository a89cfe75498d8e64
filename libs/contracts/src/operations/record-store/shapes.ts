import { z } from 'zod';
import type { ErrorCode } from '../../errors/catalogue.ts';
import { KEY_MAX_LENGTH } from '../../limits.ts';
import { exactObject } from '../../schema/exact-object.ts';
import { field, opaqueId, timestamp } from '../../schema/fields.ts';
import { text } from '../../schema/text.ts';
import { exampleIds } from './examples.ts';

/** A named set of Records in a Workspace. */
export const collection = z.strictObject({
  id: opaqueId,
  name: z.string(),
  description: z.string(),
  member_writes_enabled: z.boolean(),
  created_at: timestamp,
  created_by: field(z.string(), 'User id.'),
});
export type Collection = z.output<typeof collection>;

/** A JSON object exactly as it was sent. */
export const payload = exactObject({
  description: 'One JSON object, kept exactly as sent and never interpreted.',
  example: { name: 'Ada', visits: 1 },
  invalid: 'record_store_invalid_payload',
});

/** Whether a Record takes changes. */
const recordState = z.enum(['active', 'archived']);
export type RecordState = z.output<typeof recordState>;

const version = field(z.int().min(1), 'Counts payload revisions; the first push makes version 1.');

/** A Record in its current state; a replay returns the state after the first call. */
export const record = z.strictObject({
  id: opaqueId,
  collection_id: opaqueId,
  version,
  state: recordState,
  payload,
  created_at: timestamp,
  created_by: field(z.string(), 'User id.'),
  updated_at: timestamp,
  updated_by: field(z.string(), 'User id.'),
});
export type StoredRecord = z.output<typeof record>;

/** An immutable full snapshot of a Record's payload. */
export const revision = z.strictObject({
  version,
  payload,
  created_at: timestamp,
  created_by: field(z.string(), 'User id.'),
});
export type Revision = z.output<typeof revision>;

export const recordReference = {
  collection_id: field(opaqueId, 'An id from record_store.list_collections.', exampleIds.collection),
  record_id: field(opaqueId, 'An id from record_store.list_records.', exampleIds.record),
};

/** The version that a change is based on. */
export const expectedVersion = field(
  z.int().min(1).optional(),
  'Refuse the change unless the Record has this version.',
  3,
);

/** The caller's name for one write. */
export const idempotencyKey = field(
  text({ min: 1, max: KEY_MAX_LENGTH }).optional(),
  'Repeating a call with the same key and input returns the first outcome.',
  'import-2026-05-01-row-17',
);

/** The common part of the operations on the Records of a Collection. */
export const onRecords = {
  service: 'record-store',
  /** The grant must list the Collection that a call names. */
  dataScope: { kind: 'collectionIds', reached: (input: { collection_id: string }) => [input.collection_id] },
  targets: (
    { collection_id, record_id }: { collection_id: string; record_id?: string },
    result?: object,
  ): readonly unknown[] => [
    collection_id,
    record_id ?? (result as { record?: { id: string } } | undefined)?.record?.id,
  ],
} as const;

/** The errors of a call that names a Collection and a Record. */
export const recordErrors = [
  'record_store_collection_not_found',
  'record_store_record_not_found',
] as const satisfies ErrorCode[];

export const payloadErrors = [
  'record_store_invalid_payload',
  'record_store_payload_too_large',
  'record_store_quota_exceeded',
  'record_store_idempotency_conflict',
] as const satisfies ErrorCode[];
