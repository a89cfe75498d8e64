import type { ErrorCode } from '@action-platform/contracts/errors';
import type { Operation } from '@action-platform/contracts/operations';
import type { CallAnswer, Fixture } from './fixture.ts';

/** Makes an operation give one particular answer. */
type Scenario = (fixture: Fixture, operation: Operation) => Promise<CallAnswer>;

/** The scenarios of some error codes. */
export type Scenarios = Partial<Record<ErrorCode, Scenario>>;

/** The header that names a run of a job. */
export const run = (id: string) => ({ 'x-routine-invocation-id': id });

/** Calls an operation as the Owner with an input that would succeed without this change. */
export const changed = async (fixture: Fixture, operation: Operation, change: object) =>
  await fixture.call(fixture.owner.token, operation.id, { ...(await fixture.input(operation)), ...change });

/** Calls an operation as the Owner once, then again with this change. */
export async function again(fixture: Fixture, operation: Operation, change: object, key: object = {}) {
  const input = { ...(await fixture.input(operation)), ...key };
  await fixture.call(fixture.owner.token, operation.id, input);
  return await fixture.call(fixture.owner.token, operation.id, { ...input, ...change });
}
