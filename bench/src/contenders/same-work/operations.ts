import { type Input, inputs, type OperationId } from './input.ts';
import type { Principal } from './members.ts';
import type { Records } from './records.ts';
import { Refusal } from './refusal.ts';

/** Runs an operation by its id: checks the input, then does the work. */
export type RunOperation = (operation: string, principal: Principal, input: unknown) => Promise<object>;

/** The operations on these Records. */
export function operationsOn(records: Records): RunOperation {
  const handlers: { [Id in OperationId]: (principal: Principal, input: Input<Id>) => Promise<object> } = {
    'record_store.create_collection': (principal, input) => records.collections.create(principal, input),
    'record_store.push_record': (principal, input) => records.push(principal, input),
    'record_store.replace_record': (principal, input) => records.replace(principal, input),
    'record_store.get_record': (principal, input) => records.get(principal, input),
    'record_store.get_record_history': (principal, input) => records.history(principal, input),
    'record_store.list_records': (principal, input) => records.list(principal, input),
  };
  return async (operation, principal, input) => {
    if (!isOperation(operation)) throw new Refusal(404, 'unknown_operation');
    const parsed = inputs[operation].safeParse(input);
    if (!parsed.success) throw new Refusal(400, 'invalid_request', parsed.error.message);
    return await handlers[operation](principal, parsed.data as never);
  };
}

function isOperation(operation: string): operation is OperationId {
  return Object.hasOwn(inputs, operation);
}
