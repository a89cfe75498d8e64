import type { ConnectedApp } from '@action-platform/contracts/authority';
import type { Timed } from '@action-platform/contracts/calls';
import type { CallContext } from '@action-platform/service-host';
import type { Members } from '../members/members.ts';
import type { MemberKey } from '../members/stored-member.ts';
import type { MailboxChanges } from '../other-services/mailbox-changes.ts';
import type { AppConnections, EndedConnection } from './app-connections.ts';

interface Dependencies {
  readonly members: Members;
  readonly connections: AppConnections;
  readonly grants: { stoppedByDisconnection(ended: EndedConnection, timed: Timed): Promise<number> };
  readonly mailboxChanges: MailboxChanges;
}

/**
 * Connects an app for an active Member under a new connection id, which replaces an earlier one and stops the grants bound to it. A crash
 * before grants stores the id with the Member leaves a mailbox that no call can use.
 *
 * @param id the new connection id, of which mail has the mailbox by now.
 * @returns how many grants stopped.
 * @throws ActionError `member_not_found` when the Member was removed meanwhile.
 */
export async function connect(
  { members, connections, grants, mailboxChanges }: Dependencies,
  key: MemberKey,
  app: ConnectedApp,
  id: string,
  context: CallContext,
): Promise<number> {
  let begun = await connections.begin(key, app, id, context);
  for (; begun === undefined; begun = await connections.begin(key, app, id, context)) {
    await members.requireActive(key, context);
  }
  const { ended } = begun;
  const stoppedGrants = ended === undefined ? 0 : await grants.stoppedByDisconnection(ended, context);
  await mailboxChanges.follow(key, context);
  return stoppedGrants;
}
