import { findCustomOperation, grantedData, knownMembers, memberRole } from '@action-platform/contracts/calls';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';

/** The look-ups of other services: custom operations, also removed ones, grants of any status, and Members. */
export function serveLookUps({ customOperations, grants, members }: Dependencies): ServedCall[] {
  return [
    serveCall(findCustomOperation, (key, context) => customOperations.require(key, context)),

    serveCall(grantedData, async ({ grantId }, context) => {
      const grant = await grants.find(grantId, context);
      return { data: grant?.kind === 'routine' ? grant.data : null, name: grant?.name };
    }),

    serveCall(knownMembers, ({ workspace, users }, context) => members.known(workspace, users, context)),

    serveCall(memberRole, async (session, context) => {
      const { role } = await members.requireSignedIn(session, context);
      return { role };
    }),
  ];
}
