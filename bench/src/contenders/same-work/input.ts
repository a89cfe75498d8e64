import { z } from 'zod';

const id = z.string().min(1).max(200);
const reference = { collection_id: id, record_id: id };
const payload = z.record(z.string(), z.unknown());
const limit = z.int().min(1).max(200).default(50);

/** The input of each operation, by the platform's contract. */
export const inputs = {
  'record_store.create_collection': z.strictObject({
    name: z.string().min(1).max(100),
    member_writes_enabled: z.boolean().default(false),
  }),
  'record_store.push_record': z.strictObject({
    collection_id: id,
    payload,
    idempotency_key: z.string().min(1).max(200).optional(),
  }),
  'record_store.replace_record': z.strictObject({
    ...reference,
    payload,
    expected_version: z.int().min(1).optional(),
  }),
  'record_store.get_record': z.strictObject(reference),
  'record_store.get_record_history': z.strictObject(reference),
  'record_store.list_records': z.strictObject({ collection_id: id, limit, cursor: id.optional() }),
};

export type OperationId = keyof typeof inputs;
export type Input<Id extends OperationId> = z.output<(typeof inputs)[Id]>;
