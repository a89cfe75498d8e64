import type { DeclaredOperation } from '../declaration/operation.ts';
import * as declared from './declared.ts';

const all: readonly DeclaredOperation[] = Object.values(declared);

/** Every operation of the platform by id, sorted by id. */
export const operations: ReadonlyMap<string, DeclaredOperation> = new Map(
  all.map((operation) => [operation.id, operation] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
);
