import { hash } from 'node:crypto';
import { z } from 'zod';
import { field, opaqueId, timestamp } from '../schema/fields.ts';
import type { ServiceName } from '../services/services.ts';
import { type ChangeEventType, changeEventTypes } from './types.ts';

const typeNames = Object.keys(changeEventTypes) as [ChangeEventType, ...ChangeEventType[]];

export const changeEventType = field(z.enum(typeNames), 'What was changed, and how.', 'record.pushed');

const actor = field(
  z.object({
    user_id: field(z.string().optional(), 'The Member on whose behalf it was made.'),
    grant_id: field(opaqueId.optional(), 'The grant that it was made with.'),
    invocation_id: field(z.string().optional(), 'The run of that routine grant.'),
    operator: field(z.string().optional(), 'The name that the operator gave, unverified.'),
  }),
  'Who made the change; empty when that is unknown.',
);

/** The ids and numbers of a change; never content, names, subjects or addresses. */
const changeData = z.object({
  collection_id: opaqueId.optional(),
  record_id: opaqueId.optional(),
  sequence: field(
    z.int().min(1).optional(),
    'Counts the commits of the Record from 1, archive, restore and delete included.',
  ),
  version: field(z.int().min(1).optional(), 'The version of the Record after the change.'),
  state: z.enum(['active', 'archived', 'deleted']).optional(),
  grant_id: opaqueId.optional(),
  approval_id: field(opaqueId.optional(), 'The approval that it concerns, or that let the call through.'),
  operation_id: field(
    z.string().optional(),
    'The operation of the call that was held or pushed many Records, or the custom operation.',
  ),
  definition_id: opaqueId.optional(),
  execution_id: field(opaqueId.optional(), 'The call of a custom operation.'),
  connector_id: opaqueId.optional(),
  connection_id: opaqueId.optional(),
  attempt_id: opaqueId.optional(),
  sender_id: opaqueId.optional(),
  procedure_id: opaqueId.optional(),
  endpoint_id: opaqueId.optional(),
  calls_per_second: field(
    z.int().nullable().optional(),
    'The limit of the Workspace after the change; null without one.',
  ),
  suspended: field(z.boolean().optional(), 'Whether the Workspace is suspended after the change.'),
  secret_rotated: field(z.literal(true).optional(), 'The webhook endpoint has a new secret.'),
  user_id: field(
    z.string().optional(),
    'The Member that it concerns: of a membership, a grant, an app, an e-mail.',
  ),
  actor,
  request_id: field(z.string().optional(), 'The request that made the change, if known.'),
  call_id: field(z.string().optional(), 'The id of that call alone, when its caller chose the request id.'),
});
export type ChangeEventData = z.output<typeof changeData>;

/** A change, as an event of CloudEvents 1.0 in its JSON format. */
export const changeEvent = z.object({
  specversion: z.literal('1.0'),
  id: field(opaqueId, 'The same in every repetition.'),
  source: z.string().meta({ examples: ['/workspaces/ws_0198f2d0c4b17a3e9d51c2aa40e7b6f3/record-store'] }),
  type: changeEventType,
  subject: field(z.string(), 'The id of what was changed.'),
  time: timestamp,
  datacontenttype: z.literal('application/json'),
  data: changeData,
});
export type ChangeEvent = z.output<typeof changeEvent>;

/** A change of a Workspace, as the service that stores it describes it. */
export interface Change {
  readonly workspaceId: string;
  readonly type: ChangeEventType;
  /** The id of what was changed, unique in its Workspace. */
  readonly subject: string;
  /** Tells the changes of one subject and type apart: a number that counts them, for example. */
  readonly distinct?: string | number;
  readonly time: Date;
  readonly data: ChangeEventData;
}

/** The event of a change; its id depends on the change alone, so every repetition has it. */
export function changeEventOf(service: ServiceName, change: Change): ChangeEvent {
  const { workspaceId, type, subject, distinct = '', time, data } = change;
  const identity = JSON.stringify([service, workspaceId, type, subject, distinct]);
  return {
    specversion: '1.0',
    id: `evt_${hash('sha256', identity, 'hex').slice(0, 32)}`,
    source: `/workspaces/${workspaceId}/${service}`,
    type,
    subject,
    time: time.toISOString(),
    datacontenttype: 'application/json',
    data,
  };
}
