import { ActionError } from '@action-platform/contracts';
import type { MemberContext } from '@action-platform/service-host';

/** Throws ActionError `fresh_sign_in_required`: a program with an Owner's ordinary session must not make a second Owner, who could approve its calls. */
export function requireFresh({ session }: MemberContext): void {
  if (!session.isFresh) throw new ActionError('fresh_sign_in_required');
}
