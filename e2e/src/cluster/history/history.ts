/** What a client wanted. A `key` is the idempotency key of a write, and what the write leaves behind to be known by. */
export type Action =
  | { readonly what: 'push'; readonly collection: string; readonly key: string; readonly bytes: number }
  | {
      readonly what: 'replace' | 'patch';
      readonly record: string;
      readonly key: string;
      readonly expected?: number | undefined;
    }
  | { readonly what: 'get' | 'history'; readonly record: string }
  | { readonly what: 'list'; readonly collection: string }
  | { readonly what: 'use' | 'revoke'; readonly grant: string }
  | { readonly what: 'run'; readonly grant: string; readonly invocation: string }
  | { readonly what: 'draft'; readonly key: string };

/** One revision of a Record, as a reader sees it. */
export interface Revision {
  readonly version: number;
  /** The key of the write that made it. */
  readonly write: string;
  /** The key of the push or replace that its payload comes from; patches change the rest. */
  readonly base: string;
}

/** What an answer said, as far as it matters here. */
export interface Result {
  readonly record?: string;
  /** What a write made, or a reader saw, oldest first. */
  readonly revisions?: readonly Revision[];
  /** The Records of a listing. */
  readonly records?: readonly string[];
  readonly draft?: string;
}

/** What became of it: it was done, refused (for good, or because nothing could be done: 503), or nobody knows (502, or no answer). */
export type Outcome =
  | { readonly is: 'done'; readonly result: Result }
  | { readonly is: 'refused'; readonly code: string }
  | { readonly is: 'unknown' };

/** Something that a client did. Times are in milliseconds, from any beginning. */
export interface Entry {
  readonly client: number;
  readonly action: Action;
  readonly begunAt: number;
  readonly endedAt: number;
  readonly outcome: Outcome;
  /** What came of an unknown one when it was repeated, after everything. */
  readonly settled?: Outcome;
}

/** All that is stored, when nothing is under way. */
export interface Observation {
  readonly records: readonly {
    readonly id: string;
    readonly collection: string;
    readonly revisions: readonly Revision[];
    readonly bytes: number;
  }[];
  /** The key of each draft that is there. */
  readonly drafts: readonly string[];
  /** What the Workspace with the small quota is taken to store. */
  readonly storedBytes: number;
}

/** A run. */
export interface History {
  readonly entries: readonly Entry[];
  /** Before the unknown ones were repeated, and after. */
  readonly before: Observation;
  readonly after: Observation;
  /** The Collection of the Workspace with the small quota. */
  readonly limited: { readonly collection: string; readonly quota: number };
  /** How many runs each routine grant allows, all through the history. */
  readonly maximumRuns: number;
}

/** Every action of one kind or more, with its outcome in the end. */
export function entriesOf<What extends Action['what']>(
  { entries }: History,
  ...whats: readonly What[]
): (Entry & { readonly action: Matching<Action, What>; readonly finally: Outcome })[] {
  return entries
    .filter(({ action }) => (whats as readonly string[]).includes(action.what))
    .map((entry) => ({ ...entry, finally: entry.settled ?? entry.outcome })) as never;
}

/** Those actions that are of one of these kinds. */
type Matching<Each extends Action, What> = Each extends Action
  ? [What & Each['what']] extends [never]
    ? never
    : Each
  : never;
