import type { ErrorCode, Operation } from '@action-platform/contracts';
import type { Answer, World } from './world.ts';

/** Makes an operation give one particular answer. */
type Scenario = (world: World, operation: Operation) => Promise<Answer>;

/** The scenarios of some error codes. */
export type Scenarios = Partial<Record<ErrorCode, Scenario>>;

/** The header that names a run of a job. */
export const run = (id: string) => ({ 'x-routine-invocation-id': id });

/** Calls an operation as the Owner with an input that would succeed without this change. */
export const changed = async (world: World, operation: Operation, change: object) =>
  await world.call(world.owner.token, operation.id, { ...(await world.input(operation)), ...change });

/** Calls an operation as the Owner once, then again with this change. */
export async function again(world: World, operation: Operation, change: object, key: object = {}) {
  const input = { ...(await world.input(operation)), ...key };
  await world.call(world.owner.token, operation.id, input);
  return await world.call(world.owner.token, operation.id, { ...input, ...change });
}
