import type { ConnectedApp, Role } from '@action-platform/contracts/authority';
import { ActionError } from '@action-platform/contracts/errors';
import type { Operation } from '@action-platform/contracts/operations';
import type { Connections, Membership } from './stored-member.ts';

/** The fields that decide which callers can use an operation. */
export type DecidingFields = Pick<
  Operation,
  'id' | 'effect' | 'availability' | 'app' | 'appNotNeededBy' | 'dataScope' | 'isDestructive'
>;

/** The refusal of an operation that an active Member cannot use now; undefined when they can. */
export function whyUnavailable(
  operation: Pick<DecidingFields, 'availability' | 'app' | 'appNotNeededBy'>,
  { role, connections }: Membership,
): ActionError | undefined {
  if (operation.availability === 'owner_workspace' && role !== 'owner') {
    return new ActionError('owner_role_required');
  }
  const app = neededApp(operation, role);
  if (app !== undefined && connections[app] === undefined) {
    return new ActionError('connected_app_required', {
      message: `This operation needs the app ${app}, which the Member has not connected.`,
    });
  }
  return undefined;
}

/** The connections of a Member that operations need. */
export function neededConnections(
  operations: readonly DecidingFields[],
  { role, connections }: Membership,
): Connections {
  const needed: Partial<Record<ConnectedApp, string>> = {};
  for (const operation of operations) {
    const app = neededApp(operation, role);
    const id = app === undefined ? undefined : connections[app];
    if (app !== undefined && id !== undefined) needed[app] = id;
  }
  return needed;
}

function neededApp(
  { app, appNotNeededBy }: Pick<DecidingFields, 'app' | 'appNotNeededBy'>,
  role: Role,
): ConnectedApp | undefined {
  return role === appNotNeededBy ? undefined : app;
}
