import { ActionError } from '@action-platform/contracts';
import type { Collections } from '../database/collections.ts';

/** The refusal of a change that met no Member: it names the Workspace or the user that is not there. */
export async function noSuchMember(
  { workspaces }: Pick<Collections, 'workspaces'>,
  workspace: string,
  user: string,
): Promise<ActionError> {
  const exists = (await workspaces.findOne({ _id: workspace })) !== null;
  if (!exists) return noSuchWorkspace(workspace);
  const message = `user: ${JSON.stringify(user)} is not an active Member of Workspace ${JSON.stringify(workspace)}.`;
  return new ActionError('invalid_request', { message });
}

/** The refusal of a change in a Workspace that does not exist. */
export function noSuchWorkspace(workspace: string): ActionError {
  const message = `workspace: there is no Workspace ${JSON.stringify(workspace)}.`;
  return new ActionError('invalid_request', { message });
}
