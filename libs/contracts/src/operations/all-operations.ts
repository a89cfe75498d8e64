import type { Operation } from '../declaration/operation.ts';
import * as declared from './declared.ts';

const all: readonly Operation[] = Object.values(declared);

/** Every operation of the platform by id, sorted by id. */
export const operations: ReadonlyMap<string, Operation> = new Map(
  all.map((operation) => [operation.id, operation] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
);
