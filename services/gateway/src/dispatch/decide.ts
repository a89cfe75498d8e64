import { ActionError, type Operation } from '@action-platform/contracts';

/** The decision on an authorized call. A further outcome, such as held for approval, belongs here. */
export type Decision =
  | { readonly outcome: 'allowed'; readonly operation: Operation }
  | { readonly outcome: 'refused'; readonly refusal: ActionError };

/** Decides on an authorized call. @param operation undefined when this gateway offers no operation of that id. */
export function decide(operation: Operation | undefined): Decision {
  if (operation === undefined) return { outcome: 'refused', refusal: new ActionError('unknown_operation') };
  return { outcome: 'allowed', operation };
}
