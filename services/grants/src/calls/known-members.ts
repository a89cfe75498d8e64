import { knownMembers } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';

/** `grants.known_members` */
export function serveKnownMembers({ members }: Dependencies): ServedCall {
  return serveCall(knownMembers, ({ workspace, users }, context) => members.known(workspace, users, context));
}
