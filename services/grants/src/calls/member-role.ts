import { memberRole } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';

/** `grants.member_role` */
export function serveMemberRole({ members }: Dependencies): ServedCall {
  return serveCall(memberRole, async (session, context) => {
    const { role } = await members.requireSignedIn(session, context);
    return { role };
  });
}
