import { ActionError, type Operation } from '@action-platform/contracts';
import type { Member } from './member.ts';

/** Why an active Member cannot use an operation now; undefined when they can. */
export function whyUnavailable(operation: Operation, { role, connections }: Member): ActionError | undefined {
  if (operation.availability === 'owner_workspace' && role !== 'owner')
    return new ActionError('owner_role_required');
  if (operation.app !== undefined && connections[operation.app] === undefined) {
    return new ActionError('connected_app_required', {
      message: `This operation needs the app ${operation.app}, which the Member has not connected.`,
    });
  }
  return undefined;
}
