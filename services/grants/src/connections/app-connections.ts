import { oneMoreCommit } from '@action-platform/change-events';
import type { AppConnection, ConnectedApp, Originated, Timed } from '@action-platform/contracts';
import { within } from '@action-platform/mongo';
import type { Collection } from 'mongodb';
import {
  inWorkspace,
  type MemberKey,
  type Membership,
  memberKey,
  type StoredMember,
} from '../members/stored-member.ts';
import type { MailboxOfConnection } from '../other-services/other-services.ts';

/** The connection of an app, and its Member. */
export interface AppConnectionOf {
  readonly userId: string;
  readonly app: ConnectedApp;
  readonly id: string;
}

/** The end of a connection. */
export interface EndedConnection extends AppConnectionOf {
  readonly workspaceId: string;
  /** The authority epoch of the Member then. */
  readonly epoch: number;
}

/** The connections of the apps of Members. A change is one update of one membership, so it is atomic. */
export class AppConnections {
  readonly #members: Collection<StoredMember>;

  constructor(members: Collection<StoredMember>) {
    this.#members = members;
  }

  /** The connections of a Workspace, by user id; of one Member, if named. */
  async list(workspaceId: string, userId: string | undefined, timed: Timed): Promise<AppConnectionOf[]> {
    const _id = userId === undefined ? inWorkspace(workspaceId) : memberKey(workspaceId, userId);
    const found = this.#members.find<Pick<Membership, '_id' | 'connections'>>(
      { _id, status: 'active', connections: { $ne: {} } },
      { projection: { connections: 1 }, ...within(timed) },
    );
    return (await found.sort({ _id: 1 }).toArray()).flatMap(connectionsOf);
  }

  /** Connects an app for an active Member under a new id, which replaces an earlier one; false when no active Member has the key. */
  async begin(key: MemberKey, app: ConnectedApp, connectionId: string, call: Originated): Promise<boolean> {
    const connection_id = { $literal: connectionId };
    const commits = oneMoreCommit({ type: 'app.connected', ...call.origin }, { connection_id });
    const { matchedCount } = await this.#members.updateOne(
      { _id: key, status: 'active' },
      [{ $set: { [`connections.${app}`]: connection_id, commits } }],
      within(call),
    );
    return matchedCount === 1;
  }

  /** Ends the connection of an app, or only the one with an id; undefined when there is none. */
  async end(
    key: MemberKey,
    app: ConnectedApp,
    call: Originated,
    id?: string,
  ): Promise<EndedConnection | undefined> {
    const path = `connections.${app}`;
    const commits = oneMoreCommit(
      { type: 'app.disconnected', ...call.origin },
      { connection_id: `$${path}` },
    );
    const ended = await this.#members.findOneAndUpdate(
      { _id: key, [path]: id ?? { $exists: true } },
      [{ $set: { commits } }, { $unset: path }],
      { projection: { epoch: 1, commits: 1 }, returnDocument: 'after', ...within(call) },
    );
    if (ended === null) return undefined;
    const last = Math.max(...Object.keys(ended.commits).map(Number));
    const { connection_id } = ended.commits[last]!;
    const { workspace_id: workspaceId, user_id: userId } = key;
    return { workspaceId, userId, app, id: connection_id!, epoch: ended.epoch };
  }
}

/** The connections in a membership. */
function connectionsOf({ _id, connections }: Pick<Membership, '_id' | 'connections'>): AppConnectionOf[] {
  return Object.entries(connections).map(([app, id]) => ({
    userId: _id.user_id,
    app: app as ConnectedApp,
    id,
  }));
}

/** A connection as its Member and the Owners see it. @param mailbox undefined when an operator connected the app without one */
export function describeConnection(
  { id, app, userId }: AppConnectionOf,
  mailbox: Pick<MailboxOfConnection, 'provider' | 'email' | 'available'> | undefined,
): AppConnection {
  const { provider = null, email = null, available = true } = mailbox ?? {};
  return { id, app, userId, provider, email, available };
}
