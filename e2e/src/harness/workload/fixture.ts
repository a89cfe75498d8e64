import type { DatabaseUser } from '@action-platform/deployment';
import type { Operate } from '../../operator.ts';
import type { Entry } from '../history.ts';
import type { Session } from './session.ts';

/** A running platform, however it was started. */
export interface Platform {
  readonly gateways: readonly string[];
  /** The folder with the drafts of the local mail system. */
  readonly mail: string;
  readonly operate: Operate;
  /** A session of a Member. */
  token(workspace: string, user: string): Promise<string>;
  databaseUrl(user: DatabaseUser): string;
  /** Resolves when every part is ready, and has been for a while. */
  ready(): Promise<void>;
}

/** A user of a Workspace with a session token. */
export interface Person {
  readonly user: string;
  readonly token: string;
}

/** The state that all clients share. */
export interface Fixture {
  readonly platform: Platform;
  /** Where the clients connect. */
  readonly url: string;
  readonly workspace: string;
  /** The first Owner's, for the suite itself. */
  readonly session: Session;
  /** The clients are these Owners in turn. */
  readonly owners: readonly Person[];
  readonly collections: string[];
  /** The Collection of each Record. */
  readonly places: Map<string, string>;
  /** The first Records, which no client deletes, and those pushed since. */
  readonly records: readonly string[];
  readonly recent: string[];
  /** The keys of the files that clients read. */
  readonly files: string[];
  /** The current grants, by their slots; the secrets of these and of all before. */
  readonly grants: string[];
  readonly routines: string[];
  readonly secrets: Map<string, string>;
  readonly grantsExpireAt: string;
  /** A Workspace with a small quota. */
  readonly limited: {
    readonly workspace: string;
    readonly token: string;
    readonly collection: string;
    readonly quota: number;
  };
  /** Has a call approved that waits for it. */
  approve?: (id: string) => Promise<void>;
  /** The actions of all clients. */
  readonly entries: Entry[];
  /** How many writes were acknowledged. */
  acknowledged: number;
}
