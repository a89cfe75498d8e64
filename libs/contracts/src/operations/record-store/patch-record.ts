import { z } from 'zod';
import { defineOperation } from '../../declaration/operation.ts';
import { exactObject } from '../../schema/exact-object.ts';
import { exampleRecord, exampleReference } from './examples.ts';
import {
  expectedVersion,
  idempotencyKey,
  onRecords,
  payloadErrors,
  record,
  recordErrors,
  recordReference,
} from './shapes.ts';

export const patchRecord = defineOperation({
  ...onRecords,
  id: 'record_store.patch_record',
  title: 'Patch a Record',
  description:
    'Applies a JSON Merge Patch (RFC 7396) to the payload of a Record and raises its version. Everything that the patch does not name stays exactly as it is; null removes a member.',
  effect: 'write',
  input: z.strictObject({
    ...recordReference,
    patch: exactObject({
      description: 'A JSON Merge Patch (RFC 7396): one JSON object.',
      example: { visits: 3 },
      invalid: 'record_store_invalid_payload',
    }),
    expected_version: expectedVersion,
    idempotency_key: idempotencyKey,
  }),
  example: {
    ...exampleReference,
    patch: { visits: 3 },
    expected_version: 2,
    idempotency_key: 'visit-2026-05-03',
  },
  output: z.strictObject({ record }),
  exampleResult: { record: exampleRecord(3) },
  errors: [
    ...payloadErrors,
    ...recordErrors,
    'record_store_stale_version',
    'record_store_record_archived',
    'record_store_member_writes_disabled',
  ],
});
