import { connectApp, newId } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { memberKey } from '../members/stored-member.ts';

/**
 * `admin.grants.connect_app`: connects an app for an active Member under a fresh connection id, which replaces an earlier
 * one and stops the grants bound to that.
 *
 * With an address, mail stores the mailbox and makes the id; its refusals (an unknown provider) are passed on. A crash
 * before the id is bound to the Member leaves a mailbox that no call can use.
 */
export function serveConnectApp({ members, otherServices }: Dependencies): ServedCall {
  return serveCall(connectApp, async ({ workspace, user, app, email, provider }, context) => {
    const key = memberKey(workspace, user);
    await members.requireActive(key, context);
    const id =
      email === undefined
        ? newId('connection')
        : await otherServices.addMailbox(key, { email, provider }, context);
    await members.connect(key, app, id, context);
    return { connection: { id, app, user_id: user } };
  });
}
