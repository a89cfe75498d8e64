import { connectApp, mailboxSettings, newId } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { memberKey } from '../members/stored-member.ts';

/**
 * `admin.grants.connect_app`: connects an app for an active Member under a new connection id, which replaces an earlier
 * one and stops the grants bound to it.
 *
 * With an address, mail signs in to the mailbox, stores it and makes the id; grants passes on its refusals. A crash
 * before grants stores the id with the Member leaves a mailbox that no call can use.
 */
export function serveConnectApp({ members, otherServices }: Dependencies): ServedCall {
  return serveCall(
    connectApp,
    async ({ workspace, user, app, email, provider, secret, ...options }, context) => {
      const key = memberKey(workspace, user);
      await members.requireActive(key, context);
      const id =
        email === undefined
          ? newId('connection')
          : await otherServices.addMailbox(
              key,
              { email, provider, settings: mailboxSettings(options), secret },
              context,
            );
      await members.connect(key, app, id, context);
      await otherServices.keepMailbox(key, id, context);
      return { connection: { id, app, user_id: user } };
    },
  );
}
