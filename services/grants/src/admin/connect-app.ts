import { connectApp, newId } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { memberKey } from '../members/stored-member.ts';

/**
 * `admin.grants.connect_app`: connects an app for an active Member under a fresh connection id, in place of the one
 * there may have been. Grants bound to another id have stopped.
 *
 * With an address, mail keeps how to reach the mailbox and makes the id; what it refuses (an unknown provider) is
 * refused here in its words. A crash before the id is bound leaves a mailbox that nobody can name, and nothing else.
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
