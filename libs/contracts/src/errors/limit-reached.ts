import type { ActionError } from './action-error.ts';
import { invalidRequest } from './invalid-request.ts';

/**
 * The refusal of a create beyond a limit: `invalid_request`, because the catalogue has no code for each kind of thing.
 *
 * A service counts most things, by an index, before it stores a new one: concurrent creates do not see each other (docs/limits.md has
 * the bound). Repeating a create of an existing thing succeeds at the limit too.
 *
 * @param has the owner and its count, such as `The Workspace has 10 Procedures`.
 * @param wayOut the caller's own remedy, as a sentence, if one exists.
 */
export function limitReached(has: string, wayOut?: string): ActionError {
  const steps = [wayOut, 'An operator of the platform can raise the limit.'];
  return invalidRequest(
    [`${has}, and that is the limit.`, ...steps.filter((step) => step !== undefined)].join(' '),
  );
}
