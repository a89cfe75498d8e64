import {
  addMailbox,
  addOwnMailbox,
  beginAuthorization,
  completeAuthorization,
  describeMailboxes,
  findSenders,
  keepMailbox,
} from '@action-platform/contracts/calls';
import { ActionError, failureLevel, invalidRequest } from '@action-platform/contracts/errors';
import { type CallContext, type ServedCall, serveCall } from '@action-platform/service-host';
import { connectAccount, isConnected, type MailboxToConnect } from '../accounts/connect.ts';
import { memberMailbox } from '../accounts/member-mailbox.ts';
import type { Dependencies } from '../dependencies.ts';

/** The calls of the service `grants` about the mailbox of a Member, and the senders that the Member may use. */
export function serveMemberMailboxes(dependencies: Dependencies): ServedCall[] {
  const { senders, accounts, authorizations, permitsLocal } = dependencies;
  const add = async (
    {
      connectionId,
      changedAt,
      ...member
    }: MemberId & { readonly connectionId?: string | undefined; readonly changedAt?: number | undefined },
    described: MailboxToConnect,
    context: CallContext,
  ) => {
    const holder = holderOf(member);
    const mailbox = { ...described, changedAt };
    const live = await senders.findMailbox({ ...member, connectionId }, context);
    if (await isConnected(holder, mailbox, live, dependencies, context)) return live!._id;
    const account_id = await connectAccount(holder, mailbox, dependencies, context);
    const { email, provider } = mailbox;
    return await senders.addMailbox({ ...holder, email, provider, account_id }, context);
  };
  return [
    serveCall(addMailbox, async (mailbox, context) => ({
      connectionId: await add(mailbox, mailbox, context),
    })),

    serveCall(addOwnMailbox, async (mailbox, context) => ({
      connectionId: await add(mailbox, memberMailbox(mailbox, permitsLocal), context),
    })),

    serveCall(beginAuthorization, async ({ email, ...member }, context) =>
      authorizations.begin(holderOf(member), email, context),
    ),

    serveCall(completeAuthorization, async (answer, context) => {
      try {
        const mailbox = await authorizations.complete(holderOf(answer), answer, context);
        return { connectionId: await add(answer, mailbox, context), email: mailbox.email };
      } catch (err) {
        if (err instanceof ActionError && err.code === 'invalid_request') throw err;
        // Other errors tell the caller to repeat the call, but a sign-in counts once.
        context.log[failureLevel(err)]({ err }, 'a sign-in at Microsoft 365 was not completed');
        throw invalidRequest('The sign-in was not completed; begin another one.');
      }
    }),

    serveCall(describeMailboxes, async ({ workspaceId, connectionIds }, context) => {
      const [found, isAvailable] = await Promise.all([
        senders.ofConnections(workspaceId, connectionIds, context),
        senders.availability(workspaceId, context),
      ]);
      const mailboxes = found.map((mailbox) => {
        const { _id: connectionId, user_id: userId, provider, email } = mailbox;
        return { connectionId, userId, provider, email, available: isAvailable(mailbox) };
      });
      return { mailboxes };
    }),

    serveCall(keepMailbox, async ({ connectionId, changedAt, ...member }, context) => {
      const holder = holderOf(member);
      if (connectionId === undefined) await accounts.removeBefore(holder, changedAt, context);
      else {
        const mailbox = await senders.findMailbox({ ...member, connectionId }, context);
        await accounts.keepOnly(holder, mailbox?.account_id, context, changedAt);
      }
      await senders.keepMailbox(holder, connectionId, context);
      return {};
    }),

    serveCall(findSenders, async ({ ids, connectionId, ...member }, context) => {
      const visible = await senders.visibleTo({ ...member, connectionId }, context);
      const wanted = new Set(ids);
      const named = visible
        .filter(({ senderId }) => wanted.has(senderId))
        .map(({ senderId: id, mailbox: { email: name } }) => ({ id, name }));
      return { found: named.map(({ id }) => id), named };
    }),
  ];
}

interface MemberId {
  readonly workspaceId: string;
  readonly userId: string;
}

function holderOf({ workspaceId, userId }: MemberId) {
  return { workspace_id: workspaceId, user_id: userId };
}
