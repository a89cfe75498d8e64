import { z } from 'zod';

const positiveInteger = (value: number) => z.coerce.number().int().min(1).default(value);

/**
 * The limits of the platform, each an environment variable of this name in every service that it concerns.
 * Bytes are UTF-8 bytes, times are in the unit the name says.
 */
export const limitsSchema = z.object({
  RECORD_PAYLOAD_MAX_BYTES: positiveInteger(262_144).describe(
    'Largest payload of a Record, in bytes of its JSON text.',
  ),
  WORKSPACE_QUOTA_BYTES: positiveInteger(1_073_741_824).describe(
    'Stored bytes of a Workspace whose quota was not set.',
  ),
  IDEMPOTENCY_KEY_MAX_LENGTH: positiveInteger(200).describe(
    'Longest idempotency key and invocation id, in characters.',
  ),
  REQUEST_BODY_MAX_BYTES: positiveInteger(2_097_152).describe(
    'Largest request body, in bytes; smaller where the input is, down to 64 KiB.',
  ),
  GRANT_LIFETIME_MAX_DAYS: positiveInteger(366).describe(
    'How far ahead the expiresAt of a grant may lie, in days.',
  ),
  REQUEST_DEADLINE_MS: positiveInteger(10_000).describe(
    'How long a caller waits for the start of an answer, in milliseconds.',
  ),
  ANSWER_STALL_MS: positiveInteger(30_000).describe(
    'How long a caller may take nothing of an answer that waits for it before the connection is closed, in milliseconds.',
  ),
  GATEWAY_MAX_IN_FLIGHT: positiveInteger(512).describe(
    'Requests a gateway works on at once; more are answered with 503.',
  ),
  SERVICE_MAX_IN_FLIGHT: positiveInteger(1024).describe(
    'Calls a replica of a service works on at once; more are answered with 503.',
  ),
  PAGE_MAX_BYTES: positiveInteger(1_048_576).describe(
    'A page of a listing ends early when its items reach this many bytes.',
  ),
  WORKSPACE_COLLECTIONS_MAX: positiveInteger(10_000).describe('Collections of a Workspace.'),
  WORKSPACE_PROCEDURES_MAX: positiveInteger(2_000).describe('Procedures of a Workspace.'),
  WORKSPACE_GRANTS_MAX: positiveInteger(10_000).describe(
    'Grants of a Workspace. Those that have ended make room for new ones.',
  ),
  MEMBER_GRANTS_MAX: positiveInteger(1_000).describe(
    'Grants of a Member. Those that have ended make room for new ones.',
  ),
  WORKSPACE_EMAILS_PER_DAY_MAX: positiveInteger(10_000).describe(
    'E-mails that a Workspace may draft within 24 hours; as many refused attempts are kept in the history.',
  ),
});

/** The limits in force in a process. */
export type Limits = z.output<typeof limitsSchema>;

/** How many levels of objects and arrays a request body may have; the body itself is the first. */
export const MAX_JSON_DEPTH = 64;

/** The longest idempotency key and invocation id, in characters; part of published schemas, so read at load. */
export const KEY_MAX_LENGTH = limitsSchema.shape.IDEMPOTENCY_KEY_MAX_LENGTH.parse(
  process.env.IDEMPOTENCY_KEY_MAX_LENGTH || undefined,
);

/**
 * The largest answer of one service to a call of another, in bytes; nothing that a service answers so comes near it, and
 * to parse that much holds up nobody.
 */
export const CALL_ANSWER_MAX_BYTES = 1024 * 1024;

/** The largest answer to what an operator does, in bytes: it may list all there is in a Workspace. */
export const OPERATOR_ANSWER_MAX_BYTES = 16 * 1024 * 1024;

/** The longest output definition, in characters. */
export const OUTPUT_DEFINITION_MAX_LENGTH = 200;

/** The largest message on the bus: a request body with its headers. Longer answers travel in chunks. */
export function largestMessageBytes(limits: Limits): number {
  return limits.REQUEST_BODY_MAX_BYTES + 64 * 1024;
}
