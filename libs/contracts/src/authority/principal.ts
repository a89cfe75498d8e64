import { z } from 'zod';
import { exampleId } from '../ids/ids.ts';
import { field, opaqueId } from '../schema/fields.ts';

export const role = z.enum(['owner', 'member']);
export type Role = z.output<typeof role>;

/** Outside systems that a Member can connect. */
export const connectedApp = z.enum(['mail_suite']);
export type ConnectedApp = z.output<typeof connectedApp>;

/** The kinds of grants; each kind has its own routes. */
export const grantKind = z.enum(['operation', 'routine', 'agent']);
export type GrantKind = z.output<typeof grantKind>;

/** The owner of files: the Workspace, or the Member. */
export const fileScope = z.enum(['company', 'personal']);

/** The data that a routine grant or an agent's reaches; services refuse all other data. */
export const grantData = z.strictObject({
  collectionIds: field(
    z.array(opaqueId).max(1000).optional(),
    'Collections, by id or name; the answer has ids.',
    [exampleId('collection')],
  ),
  senderIds: field(z.array(opaqueId).max(1000).optional(), 'Senders, by sender_id.', [exampleId('sender')]),
  fileScopes: field(z.array(fileScope).max(2).optional(), 'Whose files.', ['company']),
});
export type GrantData = z.output<typeof grantData>;

/** The limits of a grant with a data scope for the input of its calls. */
export const routineScope = z.object({ data: grantData, outputDefinition: z.string().optional() });
export type RoutineScope = z.output<typeof routineScope>;

/** The kinds of data that a grant can be limited to. */
export type DataKind = keyof GrantData;

/**
 * The grant of a call that reaches the data of the grant alone. Its data scope can be long and never changes, so a service requests that
 * once (`grantedData`).
 */
const scopedGrantInUse = z.object({
  id: z.string(),
  outputDefinition: z.string().optional(),
  /** The run of a routine grant. An agent's grant has none: a service of a version without agents cannot read it, and answers 503. */
  invocationId: z.string().optional(),
});

/**
 * The authority of a call, as the grants service established it for this call. The gateway sends it to a service in a
 * bus header; its size does not depend on the data scope of the grant.
 */
export const principal = z.object({
  workspaceId: z.string(),
  userId: z.string(),
  role,
  /** The Member's connection id for every connected app. */
  connections: z.partialRecord(connectedApp, z.string()),
  /** Set when an operation grant was used: an interactive call by other means. */
  operationGrantId: z.string().optional(),
  /** Set when a grant with a data scope was used: a routine grant, whose calls are scheduled, or that of an agent, whose calls are not. */
  routine: scopedGrantInUse.optional(),
});
export type Principal = z.output<typeof principal>;

/** The id of the grant that a call is made with; undefined for a session. */
export function grantOf({ routine, operationGrantId }: Pick<Principal, 'routine' | 'operationGrantId'>) {
  return routine?.id ?? operationGrantId;
}

/** The routine grant of a scheduled call, which has a run; undefined for every interactive call. */
export function jobOf({ routine }: Pick<Principal, 'routine'>) {
  return routine?.invocationId === undefined ? undefined : { ...routine, invocationId: routine.invocationId };
}

/** The holder of a grant, as grants names them on its answers (`x-holder`). */
export const grantHolder = z.object({
  workspaceId: z.string(),
  userId: z.string(),
  grantId: z.string(),
  grantName: z.string().optional(),
});
export type GrantHolder = z.output<typeof grantHolder>;

/** The part of a rule that the body of a call decides; `is` and `value` as the rule has them, and a number that is no double as `{text}`. */
const conditionalRule = z.object({
  operations: z.array(z.string()),
  when: z.array(z.object({ field: z.string(), is: z.string(), value: z.unknown() })),
});
export type ConditionalRule = z.output<typeof conditionalRule>;

/**
 * The authority of a write that a rule of its Workspace may hold for approval. A service of a version without approvals cannot read it:
 * it answers 503 and does nothing.
 */
export const heldPrincipal = z.object({
  subjectToApproval: principal,
  /** The rules that may hold it, when each has conditions and they are short: a call that none of them fits is free. */
  rules: z.array(conditionalRule).optional(),
});
