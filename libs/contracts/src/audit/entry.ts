import { z } from 'zod';
import { grantKinds, kindOfGrant } from '../authority/grant-kinds.ts';
import { RECORDS_OF_A_CALL_MAX } from '../limits/limits.ts';
import { field, timestamp, userId } from '../schema/fields.ts';

/** How the caller of an entry was authenticated. */
export const auditVia = z.enum(['session', 'operation_grant', 'routine_grant', 'agent_grant', 'operator']);
export type AuditVia = z.output<typeof auditVia>;

/** How the caller of a call was authenticated, by the grant that it was made with; operators have none. */
export function viaGrant(grantId: string | undefined): AuditVia {
  if (grantId === undefined) return 'session';
  return grantKinds[kindOfGrant(grantId)].via;
}

/** The outcome of a call: done, refused, answered that it failed, or unknown. */
export const auditOutcome = z.enum(['done', 'refused', 'failed', 'unknown']);
export type AuditOutcome = z.output<typeof auditOutcome>;

/** An entry of the audit log: a call that wrote or was refused, or equal calls that share one. An entry never has content. */
export const auditEntry = z.strictObject({
  at: field(timestamp, 'When it was answered; of several calls, the first.'),
  request_id: field(z.string(), 'The x-request-id of the answer; of several calls, the first.'),
  call_id: field(z.string().optional(), 'The id of this call alone, when its caller chose the request id.'),
  user_id: field(z.string(), 'The acting user; of an operator, the name that they gave, unverified.'),
  via: field(auditVia, 'What the caller was authenticated by.'),
  grant_id: z.string().optional(),
  grant_name: z.string().optional(),
  invocation_id: field(z.string().optional(), 'The run of a routine grant.'),
  operation: field(
    z.string(),
    'The id of an operation, a route such as `POST /api/v1/operation-grants`, or an operator’s command such as `member add`.',
  ),
  targets: field(z.array(z.string()), 'The ids that the call named or made.'),
  status: field(z.int(), 'The HTTP status of its outcome.'),
  code: field(z.string(), '`ok`, or the code of the error.'),
  outcome: field(
    auditOutcome,
    '`done`; `refused`, which changed nothing; `failed`, of a draft that its mail system refused; `unknown`: a repetition tells.',
  ),
  replayed: field(z.boolean(), 'Whether it repeated the outcome of an earlier call with its key.'),
  answered: field(
    z.boolean(),
    'False when its caller left before the answer, or when its gateway died and the change alone tells of it.',
  ),
  count: field(
    z.int().min(1).optional(),
    'How many equal calls share the entry: reads, and refusals beyond 60 a minute.',
  ),
});
export type AuditEntry = z.output<typeof auditEntry>;

/** An entry on its way to the log; a later version may add fields. Its outcome is absent when status and code tell it. */
export const publishedEntry = z.object({
  ...auditEntry.shape,
  outcome: auditOutcome.optional(),
  workspace_id: z.string(),
});
export type PublishedEntry = z.output<typeof publishedEntry>;

/** A message of the stream AUDIT; its reader parses each entry alone, as a later version may add values. */
export const auditBatch = z.object({
  /** The same in every repetition of the message. */
  id: z.string().min(1).max(100),
  entries: z.array(z.unknown()),
});

/** The approval, the Collection and the Records of a call. */
const MOST_TARGETS = RECORDS_OF_A_CALL_MAX + 2;

/** The form of the ids that services make. A caller's own text, which may be content, has another one. */
const SERVICE_ID = /^[a-z]{2,3}_[0-9a-f]{32}$/;

/**
 * The targets of an entry, once each.
 *
 * @param values the ids of services among these are targets.
 * @param members texts given as user ids, which have any form; texts that cannot be user ids are left out.
 */
export function targetsAmong(values: readonly unknown[], members: readonly string[] = []): string[] {
  const ids = values.filter((value): value is string => typeof value === 'string' && SERVICE_ID.test(value));
  const users = members.filter((member) => userId.safeParse(member).success);
  return [...new Set([...ids, ...users])].slice(0, MOST_TARGETS);
}

/** Targets as the value of a header, percent-encoded: a user id may have a comma. */
export function targetsHeader(targets: readonly string[]): string {
  return targets.map((target) => encodeURIComponent(target.toWellFormed())).join();
}

/** The targets in the header of an answer; none when it is malformed. */
export function targetsIn(header: string): string[] {
  try {
    return header.split(',').map(decodeURIComponent).slice(0, MOST_TARGETS);
  } catch {
    return [];
  }
}
