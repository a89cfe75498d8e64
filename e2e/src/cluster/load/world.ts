import type { Entry } from '../history/history.ts';

/** What clients share. */
export interface World {
  readonly url: string;
  readonly token: string;
  readonly workspace: string;
  readonly collection: string;
  /** The Records that are written again and again. */
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
  /** What all clients have done. */
  readonly entries: Entry[];
}
