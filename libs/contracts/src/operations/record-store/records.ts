import { z } from 'zod';
import { defineOperation } from '../../declaration/operation.ts';
import { exampleId } from '../../ids/ids.ts';
import { exactObject } from '../../schema/exact-object.ts';
import { cursor, field, nextCursor, opaqueId, pageLimit, paging } from '../../schema/fields.ts';
import {
  changeErrors,
  exampleRecord,
  exampleRevision,
  expectedVersion,
  idempotencyKey,
  notFoundErrors,
  ofCollection,
  ofRecord,
  oneRecord,
  onRecords,
  payloadErrors,
  writeErrors,
} from './common.ts';
import { payload, record, revision } from './shapes.ts';

export const pushRecord = defineOperation({
  ...oneRecord,
  id: 'record_store.push_record',
  title: 'Push a Record',
  description:
    'Stores one JSON object as a new Record with version 1. Its idempotency_key names the Record in the Collection.',
  effect: 'write',
  input: z.strictObject({ ...ofCollection, payload, idempotency_key: idempotencyKey }),
  exampleResult: { record: exampleRecord(1) },
  errors: payloadErrors,
});

export const getRecord = defineOperation({
  ...oneRecord,
  id: 'record_store.get_record',
  title: 'Get a Record',
  description: 'Returns a Record with its current payload. An archived Record can be read too.',
  effect: 'read',
  input: z.strictObject(ofRecord),
  exampleResult: { record: exampleRecord(3) },
  errors: notFoundErrors,
});

export const getRecordHistory = defineOperation({
  ...onRecords,
  id: 'record_store.get_record_history',
  title: 'Get the history of a Record',
  description:
    'Returns the revisions of a Record, oldest first: each a full snapshot of the payload. Without limit, every revision.',
  effect: 'read',
  input: z.strictObject({ ...ofRecord, limit: pageLimit.optional(), cursor: cursor.optional() }),
  output: z.strictObject({ revisions: z.array(revision), next_cursor: nextCursor }),
  exampleResult: { revisions: [exampleRevision(1), exampleRevision(2)], next_cursor: null },
  errors: notFoundErrors,
});

export const listRecords = defineOperation({
  ...onRecords,
  id: 'record_store.list_records',
  title: 'List Records',
  description:
    'Lists the Records of a Collection, oldest first. A page may hold fewer than limit Records; follow next_cursor until it is null.',
  effect: 'read',
  input: z.strictObject({
    ...ofCollection,
    state: field(z.enum(['active', 'archived', 'all']).default('active'), 'Which Records to list.', 'all'),
    ...paging,
  }),
  output: z.strictObject({ records: z.array(record), next_cursor: nextCursor }),
  exampleResult: { records: [exampleRecord(3)], next_cursor: null },
  errors: ['record_store_collection_not_found'],
});

export const replaceRecord = defineOperation({
  ...oneRecord,
  id: 'record_store.replace_record',
  title: 'Replace a Record',
  description:
    'Replaces the payload of a Record and raises its version; the former payload stays in the history.',
  effect: 'write',
  input: z.strictObject({
    ...ofRecord,
    payload,
    expected_version: expectedVersion,
    idempotency_key: idempotencyKey,
  }),
  example: {
    payload: exampleRevision(2).payload,
    expected_version: 1,
    idempotency_key: 'visit-2026-05-02',
  },
  exampleResult: { record: exampleRecord(2) },
  errors: changeErrors,
});

export const patchRecord = defineOperation({
  ...oneRecord,
  id: 'record_store.patch_record',
  title: 'Patch a Record',
  description:
    'Applies a JSON Merge Patch (RFC 7396) to the payload of a Record and raises its version. Everything that the patch does not name stays exactly as it is; null removes a member.',
  effect: 'write',
  input: z.strictObject({
    ...ofRecord,
    patch: exactObject({
      description: 'One JSON object.',
      example: { visits: 3 },
      invalid: 'record_store_invalid_payload',
    }),
    expected_version: expectedVersion,
    idempotency_key: idempotencyKey,
  }),
  example: { expected_version: 2, idempotency_key: 'visit-2026-05-03' },
  exampleResult: { record: exampleRecord(3) },
  errors: changeErrors,
});

export const archiveRecord = defineOperation({
  ...oneRecord,
  id: 'record_store.archive_record',
  title: 'Archive a Record',
  description: 'Takes a Record out of use: it can still be read, restored or deleted. Safe to repeat.',
  effect: 'write',
  input: z.strictObject({ ...ofRecord, expected_version: expectedVersion }),
  exampleResult: { record: exampleRecord(3, 'archived') },
  errors: [...writeErrors, 'record_store_stale_version'],
});

export const restoreRecord = defineOperation({
  ...oneRecord,
  id: 'record_store.restore_record',
  title: 'Restore a Record',
  description: 'Puts an archived Record back into use. Safe to repeat.',
  effect: 'write',
  input: z.strictObject(ofRecord),
  exampleResult: { record: exampleRecord(3) },
  errors: writeErrors,
});

export const deleteRecord = defineOperation({
  ...onRecords,
  id: 'record_store.delete_record',
  title: 'Delete a Record permanently',
  description:
    'Deletes an archived Record with its whole history and gives its bytes back to the quota. It cannot be undone. Safe to repeat.',
  availability: 'owner_workspace',
  effect: 'write',
  isDestructive: true,
  input: z.strictObject(ofRecord),
  output: z.strictObject({ deleted: z.strictObject({ id: opaqueId }) }),
  exampleResult: { deleted: { id: exampleId('record') } },
  errors: [...notFoundErrors, 'record_store_record_not_archived'],
});
