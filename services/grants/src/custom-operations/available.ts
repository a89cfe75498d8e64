import type { Timed } from '@action-platform/contracts/calls';
import { isCustomId, type Operation } from '@action-platform/contracts/operations';
import { type DecidingFields, whyUnavailable } from '../members/availability.ts';
import type { Membership } from '../members/stored-member.ts';
import type { CustomOperations } from './custom-operations.ts';

/** The operations that a Member can use now: the ids of those of the platform, sorted, and the custom ones. @param among these alone. */
export async function availableTo(
  all: { readonly operations: ReadonlyMap<string, Operation>; readonly customOperations: CustomOperations },
  member: Membership,
  among: readonly string[] | undefined,
  timed: Timed,
) {
  const mayCallCustom = among === undefined || among.some(isCustomId);
  const registered =
    member.has_custom_operations !== false && mayCallCustom
      ? await all.customOperations.active(member._id.workspace_id, timed)
      : [];
  const isAllowed = (operation: Pick<DecidingFields, 'id' | 'availability' | 'app' | 'appNotNeededBy'>) =>
    (among?.includes(operation.id) ?? true) && whyUnavailable(operation, member) === undefined;
  const ids = [...all.operations.values()].filter(isAllowed).map(({ id }) => id);
  return { ids, custom: registered.filter(isAllowed) };
}
