import { z } from 'zod';
import { exactObject, exactObjectOfItem } from '../../schema/exact-object.ts';
import { field, opaqueId, timestamp } from '../../schema/fields.ts';

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

const exactPayload = {
  description: 'One JSON object, kept exactly as sent and never interpreted.',
  example: { name: 'Ada', visits: 1 },
  invalid: 'record_store_invalid_payload',
} as const;

/** A JSON object exactly as it was sent. */
export const payload = exactObject(exactPayload);
/** The same of one of several Records. */
export const payloadOfItem = exactObjectOfItem(exactPayload);

/** Whether a Record takes changes. */
const recordState = z.enum(['active', 'archived']);
export type RecordState = z.output<typeof recordState>;

/** An immutable full snapshot of a Record's payload. */
export const revision = z.strictObject({
  version: field(z.int().min(1), 'Counts payload revisions; the first push makes version 1.'),
  payload,
  created_at: timestamp,
  created_by: field(z.string(), 'User id.'),
});
export type Revision = z.output<typeof revision>;

/** A Record in its current state; a replay returns the state after the first call. */
export const record = z.strictObject({
  id: opaqueId,
  collection_id: opaqueId,
  state: recordState,
  ...revision.shape,
  updated_at: timestamp,
  updated_by: field(z.string(), 'User id.'),
});
export type StoredRecord = z.output<typeof record>;
