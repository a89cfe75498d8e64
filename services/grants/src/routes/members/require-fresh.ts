import { ActionError } from '@action-platform/contracts';
import type { MemberContext } from '@action-platform/service-host';

/** Throws ActionError `fresh_sign_in_required`: a program with an Owner's ordinary session must not get past the approval of its calls. */
export function requireFresh({ session }: Pick<MemberContext, 'session'>): void {
  if (!session.isFresh) throw new ActionError('fresh_sign_in_required');
}
