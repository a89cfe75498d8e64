import type { ConnectedApp } from '@action-platform/contracts/authority';
import type { Timed } from '@action-platform/contracts/calls';
import type { AppConnection } from '@action-platform/contracts/resources';
import type { CallContext } from '@action-platform/service-host';
import type { MemberKey, Membership } from '../members/stored-member.ts';
import type { MailboxChanges } from '../other-services/mailbox-changes.ts';
import { type AppConnections, describeConnection, type EndedConnection } from './app-connections.ts';

interface Dependencies {
  readonly connections: AppConnections;
  readonly grants: { stoppedByDisconnection(ended: EndedConnection, timed: Timed): Promise<number> };
  readonly mailboxChanges: MailboxChanges;
}

/** A connection of an app that begins. */
interface NewConnection {
  readonly app: ConnectedApp;
  /** The id of the connection, whose mailbox mail has stored; connecting with the id of the live connection changes nothing. */
  readonly id: string;
  /** Undefined when an operator connects the app without one. */
  readonly mailbox: { readonly email: string; readonly provider: string } | undefined;
}

/**
 * Connects an app for an active Member under a new connection id, which replaces an earlier one and stops the grants bound to it. A crash
 * before grants stores the id with the Member leaves a mailbox that no call can use.
 *
 * @param requireActive throws when the Member was removed meanwhile; mail then deletes the mailbox.
 * @returns the connection, and how many grants stopped.
 */
export async function connect(
  dependencies: Dependencies,
  { _id: key, connections: live }: Membership,
  { app, id, mailbox }: NewConnection,
  context: CallContext,
  requireActive: (key: MemberKey, timed: Timed) => Promise<unknown>,
): Promise<{ connection: AppConnection; stoppedGrants: number }> {
  const connection = describeConnection(
    { id, app, userId: key.user_id },
    mailbox && { ...mailbox, available: true },
  );
  if (id === live[app]) return { connection, stoppedGrants: 0 };
  const { connections, grants, mailboxChanges } = dependencies;
  let begun = await connections.begin(key, app, id, context);
  for (; begun === undefined; begun = await connections.begin(key, app, id, context)) {
    await requireActive(key, context).catch(async (removed: unknown) => {
      // The removal told mail before mail stored this mailbox.
      await mailboxChanges.follow(key, context);
      throw removed;
    });
  }
  const { ended } = begun;
  const stoppedGrants = ended === undefined ? 0 : await grants.stoppedByDisconnection(ended, context);
  await mailboxChanges.follow(key, context);
  return { connection, stoppedGrants };
}
