import type { ErrorCode, Operation } from '@action-platform/contracts';
import type { Answer, World } from './world.ts';

/** Makes an operation give one particular answer. */
type Scenario = (world: World, operation: Operation) => Promise<Answer>;

/** The scenarios of some error codes. */
export type Scenarios = Partial<Record<ErrorCode, Scenario>>;

/** The header that names a run of a job. */
export const run = (id: string) => ({ 'x-routine-invocation-id': id });
