import { ActionError } from './action-error.ts';

/**
 * Refuses to store one thing more of a kind: `invalid_request`, because the catalogue has no code for each kind.
 *
 * Every kind is counted, by an index, before a new thing of it is stored. Creates at the same moment do not see each other, so a limit
 * may be exceeded by as many as are under way at once. What exists already is never refused: a create that is repeated
 * answers as it did, at the limit too.
 *
 * @param has who has how many, such as `The Workspace has 10 Procedures`.
 * @param wayOut what the caller can do about it, with a capital and a full stop, when there is something.
 */
export function limitReached(has: string, wayOut?: string): ActionError {
  const steps = [wayOut, 'An operator of the platform can raise the limit.'];
  const message = [`${has}, and that is the limit.`, ...steps.filter((step) => step !== undefined)].join(' ');
  return new ActionError('invalid_request', { message });
}
