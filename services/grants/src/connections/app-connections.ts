import { oneMoreCommit } from '@action-platform/change-events';
import type { ConnectedApp } from '@action-platform/contracts/authority';
import type { Originated, Timed } from '@action-platform/contracts/calls';
import type { AppConnection } from '@action-platform/contracts/resources';
import { within } from '@action-platform/mongo';
import type { Collection } from 'mongodb';
import {
  inWorkspace,
  type MemberKey,
  type Membership,
  mailboxChanged,
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

  /**
   * The connection of a Workspace with an id, or of one Member, if named. Also finds a connection that has ended, by the last changes of its
   * Member.
   */
  async find(
    workspaceId: string,
    userId: string | undefined,
    id: string,
    timed: Timed,
  ): Promise<AppConnectionOf | undefined> {
    const app: ConnectedApp = 'mail_suite';
    const _id = userId === undefined ? inWorkspace(workspaceId) : memberKey(workspaceId, userId);
    const changed = { $map: { input: { $objectToArray: '$commits' }, in: '$$this.v.connection_id' } };
    const member = await this.#members.findOne(
      { _id, $or: [{ [`connections.${app}`]: id }, { $expr: { $in: [{ $literal: id }, changed] } }] },
      { projection: { _id: 1 }, ...within(timed) },
    );
    return member === null ? undefined : { userId: member._id.user_id, app, id };
  }

  /**
   * Connects an app for an active Member under a new id, and ends an earlier connection of it. Returns the connection that ended, if any;
   * undefined when no active Member has the key.
   */
  async begin(
    key: MemberKey,
    app: ConnectedApp,
    connectionId: string,
    call: Originated,
  ): Promise<{ readonly ended: EndedConnection | undefined } | undefined> {
    const path = `connections.${app}`;
    const connection_id = { $literal: connectionId };
    const wasConnected = { $ne: [{ $type: `$${path}` }, 'missing'] };
    const end = { $cond: [wasConnected, endOf(path, call), '$commits'] };
    const commits = oneMoreCommit({ type: 'app.connected', ...call.origin }, { connection_id });
    const before = await this.#members.findOneAndUpdate(
      { _id: key, status: 'active' },
      [{ $set: { commits: end } }, { $set: { [path]: connection_id, commits, ...mailboxChanged } }],
      { projection: { epoch: 1, connections: 1 }, returnDocument: 'before', ...within(call) },
    );
    if (before === null) return undefined;
    const { epoch, connections } = before;
    const id = connections[app];
    const { workspace_id: workspaceId, user_id: userId } = key;
    return { ended: id === undefined ? undefined : { workspaceId, userId, app, id, epoch } };
  }

  /** Ends the connection of an app, or only the one with an id; undefined when the app has no such connection. */
  async end(
    key: MemberKey,
    app: ConnectedApp,
    call: Originated,
    id?: string,
  ): Promise<EndedConnection | undefined> {
    const path = `connections.${app}`;
    const before = await this.#members.findOneAndUpdate(
      { _id: key, [path]: id ?? { $exists: true } },
      [{ $set: { commits: endOf(path, call), ...mailboxChanged } }, { $unset: path }],
      { projection: { epoch: 1, connections: 1 }, returnDocument: 'before', ...within(call) },
    );
    if (before === null) return undefined;
    const { workspace_id: workspaceId, user_id: userId } = key;
    return { workspaceId, userId, app, id: before.connections[app]!, epoch: before.epoch };
  }
}

/** The commits of a membership with the end of the connection at a path, in the pipeline of an update. */
function endOf(path: string, { origin }: Originated) {
  return oneMoreCommit({ type: 'app.disconnected', ...origin }, { connection_id: `$${path}` });
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
