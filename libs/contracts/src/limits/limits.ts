import { z } from 'zod';

/** The things that limits apply to, in the order of docs/limits.md. */
export const limitedThings = {
  request: 'A request',
  workspace: 'A Workspace',
  member: 'A Member',
  caller: 'A caller',
  process: 'A process',
} as const;

/**
 * How a limit holds among calls at the same time, in the words of docs/limits.md; `alone` bounds one request, one time or one process by
 * itself. The code that keeps an exact or a counted limit takes no other kind.
 */
export const limitKinds = { alone: '', exact: 'exact', counted: 'counted before' } as const;

/** A limit that is never exceeded: see `freeSlot`. */
export type ExactLimit = number & z.core.$brand<'exact'>;
/** A limit on things that are counted before one more is stored: see `hasRoom`. */
export type CountedLimit = number & z.core.$brand<'counted'>;
type LimitOf = { alone: number; exact: ExactLimit; counted: CountedLimit };

/** A limit of a thing: a positive integer that an environment variable can set. */
const limitOf =
  (of: keyof typeof limitedThings) =>
  <Kind extends keyof typeof limitKinds>(kind: Kind, value: number, description: string) =>
    z.coerce.number().int().min(1).default(value).meta({ description, of, kind }) as unknown as z.ZodType<
      LimitOf[Kind],
      unknown
    >;
const ofRequest = limitOf('request');
const ofWorkspace = limitOf('workspace');
const ofMember = limitOf('member');
const ofCaller = limitOf('caller');
const ofProcess = limitOf('process');

/**
 * The limits of the platform, each an environment variable of this name in every service that it concerns.
 * Bytes are UTF-8 bytes; times are in the unit of the name. `npm run docs` writes docs/limits.md from them.
 */
export const limitsSchema = z.object({
  RECORD_PAYLOAD_MAX_BYTES: ofRequest(
    'alone',
    262_144,
    'Largest payload of a Record, and largest patch of one, in bytes of its JSON text.',
  ),
  WORKSPACE_QUOTA_BYTES: ofWorkspace(
    'exact',
    1_073_741_824,
    'Stored bytes of a Workspace whose quota was not set.',
  ),
  IDEMPOTENCY_KEY_MAX_LENGTH: ofRequest(
    'alone',
    200,
    'Longest idempotency key and invocation id, in characters.',
  ),
  REQUEST_BODY_MAX_BYTES: ofRequest(
    'alone',
    2_097_152,
    'Largest request body, in bytes; smaller where the input is, down to 64 KiB.',
  ),
  GRANT_LIFETIME_MAX_DAYS: ofRequest(
    'alone',
    366,
    'How far ahead the expiresAt of a grant may lie, in days.',
  ),
  REQUEST_DEADLINE_MS: ofRequest(
    'alone',
    10_000,
    'How long a caller waits for the start of an answer, in milliseconds.',
  ),
  ANSWER_STALL_MS: ofRequest(
    'alone',
    30_000,
    'How long a caller may leave an answer unread before the gateway closes its connection, in milliseconds.',
  ),
  GATEWAY_MAX_CONNECTIONS: ofProcess(
    'alone',
    4_096,
    'Connections of a gateway. A further one evicts the longest idle connection of the owner with most connections: a Workspace, or the unauthenticated clients together.',
  ),
  GATEWAY_MAX_UNAUTHENTICATED_CONNECTIONS: ofProcess(
    'alone',
    2_048,
    'Connections of unauthenticated clients, as each is before its first request. A further one evicts the longest idle of them.',
  ),
  GATEWAY_MAX_PIPELINED: ofProcess(
    'alone',
    4,
    'Pipelined requests that may wait on a connection; more close it.',
  ),
  GATEWAY_UNAUTHENTICATED_PER_SECOND: ofProcess(
    'alone',
    2_000,
    'Tokens of unknown signatures that a gateway verifies in a second, and secrets of unknown grants that it passes on. A public page counts as two, a larger file as forty. More get 503.',
  ),
  GATEWAY_MAX_IN_FLIGHT: ofProcess(
    'alone',
    512,
    'Requests in flight in a gateway; more get 503. A Workspace, a caller and a service each get a share of them.',
  ),
  GATEWAY_MAX_BYTES_IN_FLIGHT: ofProcess(
    'alone',
    25_165_824,
    'Bytes of the bodies and answers in flight in a gateway, beyond 16 KiB of each body and 64 KiB of each answer. A further body gets 503, unread; a further answer arrives in smaller chunks. At most a sixteenth of the memory limit of the process. A Workspace, a caller and a service each get a share of them.',
  ),
  SERVICE_MAX_IN_FLIGHT: ofProcess(
    'alone',
    1024,
    'Calls at work or queued in a replica of a service, and separately its bulk calls; more get 503. A Workspace and a caller each get a share of them.',
  ),
  SERVICE_MAX_AT_WORK: ofProcess(
    'alone',
    256,
    'Calls at work in a replica of a service; more wait in a fair queue.',
  ),
  SERVICE_MAX_BYTES_IN_FLIGHT: ofProcess(
    'alone',
    25_165_824,
    'Bytes of the bodies of the calls in a replica of a service, beyond 16 KiB each, and separately of its bulk calls and of its long answers; more get 503. At most a sixteenth of the memory limit of the process.',
  ),
  SERVICE_MAX_WAIT_MS: ofProcess(
    'alone',
    2_000,
    'How long a call may wait in the queue of a replica before it gets 503, in milliseconds; `record_store.push_records` may wait for four fifths of its time.',
  ),
  SERVICE_MAX_LONG_ANSWERS: ofProcess(
    'alone',
    32,
    'Answers of more than 64 KiB in flight in a replica of a service; more wait in a fair queue. Each keeps up to half a megabyte in memory, however slow its reader.',
  ),
  PAGE_MAX_BYTES: ofRequest(
    'alone',
    1_048_576,
    'A page of a listing ends early when its items reach this many bytes.',
  ),
  WORKSPACE_COLLECTIONS_MAX: ofWorkspace('counted', 10_000, 'Collections of a Workspace.'),
  WORKSPACE_REVISIONS_MAX: ofWorkspace(
    'counted',
    10_000_000,
    'Revisions of Records that a Workspace stores, and Records that it deleted: each takes about a kilobyte, however small its payload.',
  ),
  WORKSPACE_PROCEDURES_MAX: ofWorkspace('counted', 2_000, 'Procedures of a Workspace.'),
  WORKSPACE_GRANTS_MAX: ofWorkspace(
    'counted',
    10_000,
    'Grants of a Workspace. Those that have ended or stopped make room for new ones.',
  ),
  WORKSPACE_MEMBERS_STORED_MAX: ofWorkspace(
    'counted',
    20_000,
    'Members that a Workspace has or had: a removed Member stays stored, and counts once.',
  ),
  WORKSPACE_SHARED_MAILBOXES_MAX: ofWorkspace('exact', 50, 'Shared mailboxes of a Workspace.'),
  WORKSPACE_WEBHOOK_ENDPOINTS_MAX: ofWorkspace('exact', 10, 'Webhook endpoints of a Workspace.'),
  WORKSPACE_CUSTOM_OPERATIONS_MAX: ofWorkspace(
    'exact',
    300,
    'Custom operations that a Workspace has registered, removed ones included.',
  ),
  WORKSPACE_CONNECTORS_MAX: ofWorkspace('exact', 20, 'Connectors of a Workspace, removed ones included.'),
  MEMBER_GRANTS_MAX: ofMember(
    'counted',
    1_000,
    'Grants of a Member. Those that have ended or stopped make room for new ones.',
  ),
  WORKSPACE_PENDING_APPROVALS_MAX: ofWorkspace(
    'exact',
    200,
    'Calls of a Workspace that wait for an approval.',
  ),
  GRANT_ACCESS_TOKENS_MAX: ofCaller(
    'counted',
    1_000,
    'Access tokens of a grant that have not expired. An agent and a job get a further one as soon as one has.',
  ),
  CALLER_PENDING_APPROVALS_MAX: ofCaller(
    'exact',
    20,
    'Calls of a session of a Member, or with a grant, that wait for an approval.',
  ),
  APPROVAL_PENDING_SECONDS: ofWorkspace(
    'alone',
    259_200,
    'How long a call may wait for an approval, in seconds; then the approval lapses.',
  ),
  APPROVAL_VALID_SECONDS: ofWorkspace(
    'alone',
    86_400,
    'How long a decision about a call counts, in seconds.',
  ),
  APPROVAL_REPEAT_SECONDS: ofWorkspace(
    'alone',
    600,
    'How long after the first execution of an approved call its repetitions are let through, in seconds.',
  ),
  WORKSPACE_CUSTOM_WRITES_PER_DAY_MAX: ofWorkspace(
    'exact',
    10_000,
    'New idempotency keys with which a Workspace may call custom operations within 24 hours.',
  ),
  WORKSPACE_EMAILS_PER_DAY_MAX: ofWorkspace(
    'counted',
    10_000,
    'E-mails that a Workspace may draft within 24 hours; as many refused attempts are kept in the history.',
  ),
});

/** The limits in force in a process. */
export type Limits = z.output<typeof limitsSchema>;

/** The limits without any environment variable. */
export const defaultLimits: Limits = limitsSchema.parse({});

/** How many levels of objects and arrays a request body may have; the body itself is the first. */
export const MAX_JSON_DEPTH = 64;

/** The most values, objects and arrays included, that a request body may have; every schema of the platform accepts fewer. */
export const MAX_JSON_VALUES = 12_000;

/** The most values of a body whose schema a Workspace wrote: as many as 64 KiB, the largest of these bodies, can have. */
export const MAX_CUSTOM_JSON_VALUES = 32 * 1024;

/** The longest idempotency key and invocation id, in characters; part of published schemas, so read at load. */
export const KEY_MAX_LENGTH = limitsSchema.shape.IDEMPOTENCY_KEY_MAX_LENGTH.parse(
  process.env.IDEMPOTENCY_KEY_MAX_LENGTH || undefined,
);

/** The largest input of one service's call of another, in bytes: above every real one. A larger input is refused unread. */
export const CALL_INPUT_MAX_BYTES = 1024 * 1024;

/** The largest body of a call that waits for an approval, in bytes. */
export const HELD_BODY_MAX_BYTES = 524_288;

/** The largest answer of one service to a call of another, in bytes: far above every real one, and parsed within milliseconds. */
export const CALL_ANSWER_MAX_BYTES = 1024 * 1024;

/** The largest answer to an operator's call, in bytes: an answer may list everything in a Workspace. */
export const OPERATOR_ANSWER_MAX_BYTES = 16 * 1024 * 1024;

/** The most grants or files that an operator's command lists. */
export const OPERATOR_LIST_MAX = 1000;

/** The most bytes of the grants that an operator's command lists: a grant may name thousands of ids. */
export const OPERATOR_LIST_MAX_BYTES = OPERATOR_ANSWER_MAX_BYTES / 8;

/** The most Records that one call pushes or reads. */
export const RECORDS_OF_A_CALL_MAX = 100;

/** The most mailboxes that one call describes. */
export const MAILBOXES_DESCRIBED_MAX = 1000;

export const OUTPUT_DEFINITION_MAX_LENGTH = 200;

/** The most runs of a cadence: grants stores each until its period is over. */
export const CADENCE_RUNS_MAX = 1_000_000;

/** The largest message on the bus: a request body with its headers. A service sends longer answers in chunks. */
export function largestMessageBytes(limits: Limits): number {
  return limits.REQUEST_BODY_MAX_BYTES + 64 * 1024;
}
