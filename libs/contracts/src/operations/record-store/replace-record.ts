import { z } from 'zod';
import { defineOperation } from '../../declaration/operation.ts';
import { exampleRecord, exampleReference } from './examples.ts';
import {
  expectedVersion,
  idempotencyKey,
  onRecords,
  payload,
  payloadErrors,
  record,
  recordErrors,
  recordReference,
} from './shapes.ts';

export const replaceRecord = defineOperation({
  ...onRecords,
  id: 'record_store.replace_record',
  title: 'Replace a Record',
  description:
    'Replaces the payload of a Record and raises its version; the former payload stays in the history.',
  effect: 'write',
  input: z.strictObject({
    ...recordReference,
    payload,
    expected_version: expectedVersion,
    idempotency_key: idempotencyKey,
  }),
  example: {
    ...exampleReference,
    payload: { name: 'Ada', visits: 2 },
    expected_version: 1,
    idempotency_key: 'visit-2026-05-02',
  },
  output: z.strictObject({ record }),
  exampleResult: { record: exampleRecord(2) },
  errors: [
    ...payloadErrors,
    ...recordErrors,
    'record_store_stale_version',
    'record_store_record_archived',
    'record_store_member_writes_disabled',
  ],
});
