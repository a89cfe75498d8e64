import type { AuditEntry } from '@action-platform/contracts/audit';
import type { ChangeEvent } from '@action-platform/contracts/change-events';
import type { Received } from '@action-platform/testing';

/** Payments by a connector to an API without keys, to one with keys, and by a tool of an MCP server. */
export const payments = ['pay_once', 'pay_keyed', 'pay_tool'] as const;
export type Payment = (typeof payments)[number];

/** The action of a client. `key` is the idempotency key, or the name, of what it makes; the payload of a Record has it too. */
export type Action =
  | {
      readonly what: 'push';
      readonly collection: string;
      readonly key: string;
      readonly bytes: number;
      /** Names the call of several that it is an item of. */
      readonly call?: string;
    }
  | {
      readonly what: 'replace' | 'patch';
      readonly record: string;
      readonly key: string;
      readonly expected?: number | undefined;
    }
  | { readonly what: 'get'; readonly record: string }
  | { readonly what: 'archive' | 'restore' | 'delete' | 'history'; readonly record: string }
  | { readonly what: 'list'; readonly collection: string }
  | { readonly what: 'use' | 'revoke'; readonly grant: string }
  | { readonly what: 'run'; readonly grant: string; readonly invocation: string }
  | { readonly what: 'grant' | 'routine'; readonly key: string; readonly slot: number }
  | { readonly what: 'draft' | 'collection' | 'procedure' | 'refund' | Payment; readonly key: string }
  | { readonly what: 'file'; readonly key: string }
  | { readonly what: 'read_file'; readonly file: string };

/** One revision of a Record, as a reader sees it. */
export interface Revision {
  readonly version: number;
  /** The key of the write that made it. */
  readonly write: string;
  /** The key of the push or replace that its payload comes from; patches change the rest. */
  readonly base: string;
}

/** The parts of an answer that the checkers read. */
export interface Result {
  readonly record?: string;
  /** The revisions that a write made or a reader saw, oldest first. */
  readonly revisions?: readonly Revision[];
  /** The Records of a listing. */
  readonly records?: readonly string[];
  /** The id of the draft, the grant, the Collection or the refund that a call made. */
  readonly made?: string;
  /** The bytes of a file as its answer has them, the length of its text, and how many different lines that has. */
  readonly file?: { readonly bytes: number; readonly length: number; readonly lines: number };
}

/** The outcome: done, refused (for good, or with 503 and without effect), or unknown (another status from 500, or no answer). */
export type Outcome =
  | { readonly is: 'done'; readonly result: Result }
  | { readonly is: 'refused'; readonly code: string }
  | { readonly is: 'unknown' };

/** The codes of refusals with 503: the platform did nothing, and the caller should try again. */
const UNAVAILABLE: readonly string[] = ['action_platform_unavailable', 'custom_endpoint_unavailable'];

/** Whether a repetition would change nothing. */
export const isFinal = (outcome: Outcome | undefined) =>
  outcome?.is === 'done' || (outcome?.is === 'refused' && !UNAVAILABLE.includes(outcome.code));

/** Whether the status of an attempt leaves the outcome unknown. */
export const isUnknown = (status: number) => status === 0 || (status >= 500 && status !== 503);

/** One request of an action. A client repeats it with the same key until its outcome is known. */
export interface Attempt {
  readonly requestId: string;
  /** 0 without an answer. */
  readonly status: number;
  readonly isReplay: boolean;
  /** The approval that the call waits for. */
  readonly approvalId?: string;
  /** Whether the status is that of an item, in an answer with 200. */
  readonly isItem?: boolean;
}

/** An action of a client with its outcome. Times are in milliseconds of one clock. */
export interface Entry {
  readonly client: number;
  readonly action: Action;
  readonly begunAt: number;
  readonly endedAt: number;
  readonly outcome: Outcome;
  readonly attempts: readonly Attempt[];
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
  /** The stored and the counted bytes of each Workspace. */
  readonly usage: readonly { readonly stored: number; readonly counted: number; readonly quota: number }[];
}

/** A change that the stored documents tell of. Of a former state of a Record they may know the sequence alone. */
export interface Change {
  readonly subject: string;
  /** Of a Record's commit. */
  readonly sequence?: number;
  readonly type: string | undefined;
  readonly requestId: string | undefined;
}

/** A reader of the feed, with every event that it got, repetitions included. */
interface Reader {
  readonly name: string;
  readonly events: readonly ChangeEvent[];
}

/** The webhooks that arrived at the endpoints of a run. */
export interface Webhooks {
  /** Endpoints that answer: of one Collection, or of all. */
  readonly endpoints: readonly { readonly path: string; readonly collection?: string }[];
  readonly received: readonly Received[];
  /** The path of the endpoint whose secret was rotated, and its secrets, oldest first. */
  readonly rotated: string;
  readonly secrets: readonly string[];
}

/** A request that reached the endpoint of a custom operation. */
interface Refunds {
  readonly requests: readonly Received[];
  /** The refund that it made of each key. */
  readonly made: ReadonlyMap<string, string>;
}

/** Something that ends a grant or a token. Times are those of entries; without an end it was not acknowledged. */
export interface Ending {
  readonly begunAt: number;
  readonly endedAt?: number;
}

/** A call with an access token: `ok`, the code of its refusal, or `unknown`. */
export interface TokenCall {
  readonly begunAt: number;
  readonly endedAt: number;
  readonly code: string;
}

/** An access token, with its calls. The token expires `lifetimeMs` after the request that got it began. */
export interface UsedToken {
  readonly begunAt: number;
  readonly lifetimeMs: number;
  /** Endings of this token alone. */
  readonly endings: readonly Ending[];
  readonly calls: readonly TokenCall[];
}

/** A request that shows a code or a refresh token, each with a number within its grant. */
export interface Exchange {
  readonly what: 'code' | 'refresh';
  readonly shown: number;
  readonly begunAt: number;
  readonly endedAt: number;
  readonly answer: 'tokens' | 'refused' | 'unknown';
  /** The answered tokens. */
  readonly tokens?: readonly string[];
}

/** The grant of an agent or of a job that signed in. */
export interface SignedIn {
  readonly grant: string;
  readonly endings: readonly Ending[];
  readonly exchanges: readonly Exchange[];
  readonly tokens: readonly UsedToken[];
}

/** The requests about a payment that reached an API. */
interface Paid {
  /** The requests that the API may have done something for: all but those that it answered with 429. */
  readonly requests: number;
  readonly keys: ReadonlySet<string>;
}

/** A run: what clients asked and were answered, and what the platform tells of it afterwards. */
export interface History {
  readonly entries: readonly Entry[];
  /** Before and after the repetition of the unknown actions. */
  readonly before: Observation;
  readonly after: Observation;
  /** The Collection of the Workspace with the small quota. */
  readonly limited: { readonly collection: string; readonly quota: number };
  /** How many runs each routine grant allows in the whole history. */
  readonly maximumRuns: number;
  readonly changes: readonly Change[];
  readonly readers: readonly Reader[];
  /** The entries of writes in the audit log. */
  readonly audit: readonly AuditEntry[];
  readonly webhooks: Webhooks;
  readonly refunds: Refunds;
  readonly signedIn: readonly SignedIn[];
  /** By the keys of payments. */
  readonly paid: ReadonlyMap<string, Paid>;
  /** The keys of files that no client may read. */
  readonly hiddenFiles: ReadonlySet<string>;
}

/** An invariant: yields its violations in a history, each as a line. */
export type Checker = (history: History) => Iterable<string>;

/** The entries of these kinds, with their final outcomes. */
export function entriesOf<What extends Action['what']>(
  { entries }: Pick<History, 'entries'>,
  ...whats: readonly What[]
): (Entry & { readonly action: Matching<Action, What>; readonly finally: Outcome })[] {
  return entries
    .filter(({ action }) => (whats as readonly string[]).includes(action.what))
    .map((entry) => ({ ...entry, finally: entry.settled ?? entry.outcome })) as never;
}

/** The Records that clients deleted, or that a repeated deletion no longer met. A first deletion that meets no Record deleted none. */
export function deletedRecords(history: Pick<History, 'entries'>): ReadonlySet<string> {
  const deletions = entriesOf(history, 'delete').filter(
    ({ finally: outcome, attempts }) =>
      outcome.is !== 'refused' || (outcome.code === 'record_store_record_not_found' && attempts.length > 1),
  );
  return new Set(deletions.map(({ action }) => action.record));
}

/** The actions of these kinds. */
type Matching<Each extends Action, What> = Each extends Action
  ? [What & Each['what']] extends [never]
    ? never
    : Each
  : never;
