import { ActionError } from './action-error.ts';

/**
 * The refusal of a request that its caller has to change.
 *
 * @param message a sentence, which begins with the field and a colon where one is wrong.
 */
export function invalidRequest(message: string): ActionError {
  return new ActionError('invalid_request', { message });
}
