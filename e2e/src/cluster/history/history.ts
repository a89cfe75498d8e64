/** The action of a client. `key` is the idempotency key of a write; the stored payload carries it too. */
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

/** The parts of an answer that the checks read. */
export interface Result {
  readonly record?: string;
  /** The revisions that a write made or a reader saw, oldest first. */
  readonly revisions?: readonly Revision[];
  /** The Records of a listing. */
  readonly records?: readonly string[];
  readonly draft?: string;
}

/** The outcome: done, refused (for good, or with 503 and without effect), or unknown (502, or no answer). */
export type Outcome =
  | { readonly is: 'done'; readonly result: Result }
  | { readonly is: 'refused'; readonly code: string }
  | { readonly is: 'unknown' };

/** An action of a client with its outcome. Times are in milliseconds of one clock. */
export interface Entry {
  readonly client: number;
  readonly action: Action;
  readonly begunAt: number;
  readonly endedAt: number;
  readonly outcome: Outcome;
  /** The outcome of the repetition at the end, of an action with an unknown outcome. */
  readonly settled?: Outcome;
}

/** The stored state while no call is in flight. */
export interface Observation {
  readonly records: readonly {
    readonly id: string;
    readonly collection: string;
    readonly revisions: readonly Revision[];
    readonly bytes: number;
  }[];
  /** The key of each stored draft. */
  readonly drafts: readonly string[];
  /** The counted bytes of the Workspace with the small quota. */
  readonly storedBytes: number;
}

/** A run. */
export interface History {
  readonly entries: readonly Entry[];
  /** Before and after the repetition of the unknown actions. */
  readonly before: Observation;
  readonly after: Observation;
  /** The Collection of the Workspace with the small quota. */
  readonly limited: { readonly collection: string; readonly quota: number };
  /** How many runs each routine grant allows in the whole history. */
  readonly maximumRuns: number;
}

/** The entries of these kinds, with their final outcomes. */
export function entriesOf<What extends Action['what']>(
  { entries }: History,
  ...whats: readonly What[]
): (Entry & { readonly action: Matching<Action, What>; readonly finally: Outcome })[] {
  return entries
    .filter(({ action }) => (whats as readonly string[]).includes(action.what))
    .map((entry) => ({ ...entry, finally: entry.settled ?? entry.outcome })) as never;
}

/** The actions of these kinds. */
type Matching<Each extends Action, What> = Each extends Action
  ? [What & Each['what']] extends [never]
    ? never
    : Each
  : never;
