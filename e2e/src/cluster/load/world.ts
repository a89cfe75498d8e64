import type { Entry } from '../history/history.ts';

/** The state that all clients share. */
export interface World {
  readonly url: string;
  readonly token: string;
  readonly workspace: string;
  readonly collection: string;
  /** The Records that clients write to. */
  readonly records: string[];
  /** The current grants, by their slots; the secrets of these and of all before. */
  readonly grants: string[];
  readonly routines: string[];
  readonly secrets: Map<string, string>;
  /** A Workspace with a small quota. */
  readonly limited: {
    readonly workspace: string;
    readonly token: string;
    readonly collection: string;
    readonly quota: number;
  };
  /** The actions of all clients. */
  readonly entries: Entry[];
}
