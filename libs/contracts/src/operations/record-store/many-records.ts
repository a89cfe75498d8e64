import { z } from 'zod';
import { defineOperation } from '../../declaration/operation.ts';
import { errorTemplate } from '../../errors/error-body.ts';
import { exampleId } from '../../ids/ids.ts';
import { RECORDS_OF_A_CALL_MAX } from '../../limits/limits.ts';
import { field, opaqueId } from '../../schema/fields.ts';
import { exampleRecord, idempotencyKey, ofCollection, onRecords, payloadErrors } from './common.ts';
import { payloadOfItem, record } from './shapes.ts';

const id = exampleId('record');
const exampleItem = { payload: exampleRecord(1).payload, idempotency_key: 'import-2026-05-01-row-17' };

const outcome = z.union([
  z.strictObject({
    record: z.strictObject({ id: opaqueId, version: z.int().min(1) }),
    replayed: field(z.boolean(), 'Whether it repeats the first outcome of the key.'),
  }),
  z.strictObject({
    error: errorTemplate,
    record_id: field(opaqueId.optional(), 'The Record that the error is about.'),
  }),
]);
export type PushOutcome = z.output<typeof outcome>;

export const pushRecords = defineOperation({
  id: 'record_store.push_records',
  title: 'Push many Records',
  description:
    'Pushes Records in their order, each with an outcome of its own. Some may be refused although the call succeeds: read every outcome.',
  effect: 'write',
  isBulk: true,
  idempotent: 'by_key',
  input: z.strictObject({
    ...ofCollection,
    items: field(
      z
        .array(z.strictObject({ payload: payloadOfItem, idempotency_key: idempotencyKey }))
        .min(1)
        .max(RECORDS_OF_A_CALL_MAX),
      `At most ${RECORDS_OF_A_CALL_MAX}.`,
      [exampleItem],
    ),
  }),
  output: z.strictObject({ outcomes: field(z.array(outcome), 'One for each item, in order.') }),
  exampleResult: { outcomes: [{ record: { id, version: 1 }, replayed: false }] },
  errors: payloadErrors,
  dataScope: onRecords.dataScope,
  targets: ({ collection_id }, result) => [
    collection_id,
    ...(result?.outcomes ?? []).map((each) => ('record' in each ? each.record.id : undefined)),
  ],
});

export type PushRecordsInput = z.output<typeof pushRecords.input>;

export const getRecords = defineOperation({
  id: 'record_store.get_records',
  title: 'Get many Records',
  description:
    'Returns Records of a Collection in the order of their ids in the call. Many large ones do not fit: repeat the call with next until it is empty.',
  effect: 'read',
  input: z.strictObject({
    ...ofCollection,
    record_ids: field(
      z
        .array(opaqueId)
        .min(1)
        .max(RECORDS_OF_A_CALL_MAX)
        .refine((ids) => new Set(ids).size === ids.length, 'must have each id once')
        .meta({ uniqueItems: true }),
      `At most ${RECORDS_OF_A_CALL_MAX}, each once.`,
      [id],
    ),
  }),
  output: z.strictObject({
    records: z.array(record),
    missing: field(z.array(opaqueId), 'The ids that name no Record of the Collection.'),
    next: field(z.array(opaqueId), 'The ids that were not looked at.'),
  }),
  exampleResult: { records: [exampleRecord(3)], missing: [], next: [] },
  errors: ['record_store_collection_not_found'],
  dataScope: onRecords.dataScope,
  targets: ({ collection_id, record_ids }) => [collection_id, ...record_ids],
});
