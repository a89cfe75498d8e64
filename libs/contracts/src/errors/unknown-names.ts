import { ActionError } from './action-error.ts';
import { invalidRequest } from './invalid-request.ts';

/** The refusal (`invalid_request`) of a command for an unknown Workspace. */
export function noSuchWorkspace(workspace: string): ActionError {
  return invalidRequest(`workspace: there is no Workspace ${JSON.stringify(workspace)}.`);
}

/**
 * The refusal (`member_not_found`) of a call for a user who is not an active Member of the Workspace.
 *
 * @param field the field of the input that names the user.
 */
export function noSuchMember(workspace: string, user: string, field = 'user'): ActionError {
  const message = `${field}: ${JSON.stringify(user)} is not an active Member of Workspace ${JSON.stringify(workspace)}.`;
  return new ActionError('member_not_found', { message });
}
