import type { DiscoverOperationsResponse, OperationList, ToolList } from '../platform/types.gen.ts';

/** Compiles when the generator gives each view of discovery a type of its own, told apart by its only property. */
export function idsOf(discovered: DiscoverOperationsResponse): string[] {
  return 'operations' in discovered ? operationIds(discovered) : toolNames(discovered);
}

function operationIds({ operations }: OperationList): string[] {
  return operations.map(({ id }) => id);
}

function toolNames({ tools }: ToolList): string[] {
  return tools.map(({ name }) => name);
}
