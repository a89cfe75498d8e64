import type { SessionClaims } from '@action-platform/contracts';
import type { CallContext } from '@action-platform/service-host';
import type { Dependencies } from '../../dependencies.ts';
import type { Membership } from '../../members/stored-member.ts';
import { requireFresh } from '../members.ts';

/**
 * Finds the Owner who changes a custom operation. While their Workspace has a rule of approvals, they must have just signed in: a program
 * with their ordinary session could otherwise send approved calls elsewhere.
 */
export function requireOwnerToChange({ members, rules }: Pick<Dependencies, 'members' | 'rules'>) {
  return async (session: SessionClaims, context: CallContext): Promise<Membership> => {
    const owner = await members.requireOwner(session, context);
    const { rules: present } = await rules.of(owner._id.workspace_id, context);
    if (present.length > 0) requireFresh({ session });
    return owner;
  };
}
