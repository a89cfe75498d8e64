import { z } from 'zod';
import type { Database } from './database.ts';
import { Records } from './records.ts';
import { Refusal } from './refusal.ts';
import type { Principal } from './sessions.ts';

const id = z.string().min(1).max(200);

/** The input of each operation, by the platform's contract. */
const inputs = {
  'record_store.create_collection': z.strictObject({
    name: z.string().min(1).max(100),
    member_writes_enabled: z.boolean().default(false),
  }),
  'record_store.push_record': z.strictObject({
    collection_id: id,
    payload: z.record(z.string(), z.unknown()),
    idempotency_key: id.optional(),
  }),
  'record_store.get_record': z.strictObject({ collection_id: id, record_id: id }),
};

type OperationId = keyof typeof inputs;
type Input<Id extends OperationId> = z.output<(typeof inputs)[Id]>;

/** Runs an operation by its id: checks the input, then does the work. */
type RunOperation = (operation: string, principal: Principal, input: unknown) => Promise<object>;

/** The operations on the Records of a database. */
export function operationsOn(database: Database): RunOperation {
  const records = new Records(database);
  const handlers: { [Id in OperationId]: (principal: Principal, input: Input<Id>) => Promise<object> } = {
    'record_store.create_collection': (principal, input) => records.createCollection(principal, input),
    'record_store.push_record': (principal, input) => records.push(principal, input),
    'record_store.get_record': (principal, input) => records.get(principal, input),
  };
  return async (operation, principal, input) => {
    if (!Object.hasOwn(inputs, operation)) throw new Refusal(404, 'unknown_operation');
    const known = operation as OperationId;
    const parsed = inputs[known].safeParse(input);
    if (!parsed.success) throw new Refusal(400, 'invalid_request', parsed.error.message);
    return await handlers[known](principal, parsed.data as never);
  };
}
