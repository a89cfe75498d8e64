import { z } from 'zod';
import type { ErrorCode } from '../../errors/catalogue.ts';
import { exampleId } from '../../ids/ids.ts';
import { field, key, opaqueId } from '../../schema/fields.ts';
import { record } from './shapes.ts';

export const ofCollection = {
  collection_id: field(
    opaqueId,
    'An id from record_store.list_collections, or a name.',
    exampleId('collection'),
  ),
};
export const ofRecord = {
  ...ofCollection,
  record_id: field(opaqueId, 'An id from record_store.list_records.', exampleId('record')),
};
export const expectedVersion = field(
  z.int().min(1).optional(),
  'Refuse the change unless the Record has this version.',
  3,
);
export const idempotencyKey = field(
  key.optional(),
  'Repeating a call with the same key and input returns the first outcome.',
  'import-2026-05-01-row-17',
);

/** The common part of the operations on the Records of a Collection. */
export const onRecords = {
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
export const oneRecord = { ...onRecords, output: z.strictObject({ record }) };

/** The errors of a call that names a Collection and a Record, of a write, of one with a payload, and of a change of one. */
export const notFoundErrors = ['record_store_collection_not_found', 'record_store_record_not_found'] as const;
export const writeErrors = [...notFoundErrors, 'record_store_member_writes_disabled'] as const;
export const payloadErrors = [
  'record_store_invalid_payload',
  'record_store_payload_too_large',
  'record_store_quota_exceeded',
  'record_store_idempotency_conflict',
  ...writeErrors,
] as const satisfies ErrorCode[];
export const changeErrors = [
  ...payloadErrors,
  'record_store_stale_version',
  'record_store_record_archived',
] as const;

/** A revision of the Record of the examples, one for each visit of the customer. */
export function exampleRevision(version: number) {
  return {
    version,
    payload: { name: 'Ada', visits: version },
    created_at: `2026-05-0${version}T10:00:00.000Z`,
    created_by: 'mika',
  };
}

/** The Record of the examples at this version. */
export function exampleRecord(version: number, state: 'active' | 'archived' = 'active') {
  const { created_at, created_by } = exampleRevision(1);
  const { payload, created_at: updated_at, created_by: updated_by } = exampleRevision(version);
  const ids = { id: exampleId('record'), collection_id: exampleId('collection') };
  return { ...ids, version, state, payload, created_at, created_by, updated_at, updated_by };
}
