import { z } from 'zod';
import { defineOperation } from '../../declaration/operation.ts';
import { exampleIds, exampleRecord } from './examples.ts';
import { idempotencyKey, onRecords, payload, payloadErrors, record, recordReference } from './shapes.ts';

export const pushRecord = defineOperation({
  ...onRecords,
  id: 'record_store.push_record',
  title: 'Push a Record',
  description:
    'Stores one JSON object as a new Record with version 1. With an idempotency_key it can be repeated safely: the key names the Record in its Collection.',
  effect: 'write',
  input: z.strictObject({
    collection_id: recordReference.collection_id,
    payload,
    idempotency_key: idempotencyKey,
  }),
  example: {
    collection_id: exampleIds.collection,
    payload: { name: 'Ada', visits: 1 },
    idempotency_key: 'import-2026-05-01-row-17',
  },
  output: z.strictObject({ record }),
  exampleResult: { record: exampleRecord(1) },
  errors: [
    ...payloadErrors,
    'record_store_collection_not_found',
    'record_store_record_not_found',
    'record_store_member_writes_disabled',
  ],
});
