import type { DiscoverOperationsResponse, OperationList, ToolList } from '../generated/hey-api/types.gen.ts';
import type { paths } from '../generated/openapi-typescript.ts';

type Discovered = paths['/api/v1/operations']['get']['responses'][200]['content']['application/json'];

/** Compiles when both generators give each view of discovery a type of its own, told apart by its only property. */
export function idsOf(discovered: Discovered | DiscoverOperationsResponse): string[] {
  return 'operations' in discovered ? operationIds(discovered) : toolNames(discovered);
}

function operationIds({ operations }: OperationList): string[] {
  return operations.map(({ id }) => id);
}

function toolNames({ tools }: ToolList): string[] {
  return tools.map(({ name }) => name);
}
