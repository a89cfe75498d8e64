import { addMailbox, connectApp, mailboxSettings, newId } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import { connect } from '../connections/connect.ts';
import type { Dependencies } from '../dependencies.ts';
import { memberKey } from '../members/stored-member.ts';

/**
 * `admin.grants.connect_app`: connects an app for an active Member.
 *
 * With an address, mail signs in to the mailbox, stores it and makes the id; grants passes on its refusals.
 */
export function serveConnectApp(dependencies: Dependencies): ServedCall {
  const { members, otherServices } = dependencies;
  return serveCall(
    connectApp,
    async ({ workspace, user, app, email, provider, secret, ...options }, context) => {
      const key = memberKey(workspace, user);
      await members.requireActive(key, context);
      const mailbox = { provider, settings: mailboxSettings(options), secret };
      const { connectionId: id } =
        email === undefined
          ? { connectionId: newId('connection') }
          : await otherServices.aboutMailbox(addMailbox, key, { email, ...mailbox }, context);
      await connect(dependencies, key, app, id, context);
      return { connection: { id, app, user_id: user } };
    },
  );
}
