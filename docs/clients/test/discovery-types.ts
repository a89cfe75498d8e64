import type { DiscoverOperationsResponse, OperationList, ToolList } from '../platform/types.gen.ts';

/** Compiles when the generator gives each view of discovery a type of its own, told apart by its properties. */
export function idsOf(discovered: DiscoverOperationsResponse): string[] {
  if ('operations' in discovered) return operationIds(discovered);
  return 'tools' in discovered ? toolNames(discovered) : Object.keys(discovered.paths);
}

function operationIds({ operations }: OperationList): string[] {
  return operations.map(({ id }) => id);
}

function toolNames({ tools }: ToolList): string[] {
  return tools.map(({ name }) => name);
}
