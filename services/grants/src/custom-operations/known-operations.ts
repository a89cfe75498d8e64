import type { Timed } from '@action-platform/contracts/calls';
import { isCustomId, type Operation } from '@action-platform/contracts/operations';
import type { DecidingFields } from '../members/availability.ts';
import type { CustomOperations } from './custom-operations.ts';

/** All operations. */
interface AllOperations {
  /** The operations of the platform, by id. */
  readonly operations: ReadonlyMap<string, Operation>;
  readonly customOperations: CustomOperations;
}

/**
 * The operations of the platform, and with them the custom operations of a Workspace among these ids. Without a custom id it looks
 * nothing up.
 *
 * @param removedToo whether removed ones count as known.
 */
export async function knownOperations(
  { operations, customOperations }: AllOperations,
  workspaceId: string,
  ids: readonly string[],
  timed: Timed,
  removedToo = false,
): Promise<ReadonlyMap<string, DecidingFields>> {
  const custom = [...new Set(ids)].filter(isCustomId);
  if (custom.length === 0) return operations;
  const found = await Promise.all(custom.map((id) => customOperations.find({ workspaceId, id }, timed)));
  const known = new Map<string, DecidingFields>(operations);
  for (const operation of found) {
    if (operation === undefined || (operation.status === 'removed' && !removedToo)) continue;
    const { id, effect, availability, destructive } = operation;
    const deciding = { id, effect, availability, dataScope: undefined };
    known.set(id, { ...deciding, ...(destructive && { isDestructive: true }) });
  }
  return known;
}
