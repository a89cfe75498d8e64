import { kindOfGrant } from '../authority/grant-kinds.ts';
import type { ErrorCode } from '../errors/catalogue.ts';
import { type ServiceName, services } from '../services/services.ts';

/**
 * The callers that see events of a type, besides Owners, who see all: every Member; the Member that the event concerns
 * (`data.user_id`); that Member and those who may decide the approval; none.
 */
type EventVisibility = 'members' | 'concerned' | 'approvers' | 'owners';

/** The parts of a change that tell its cause. */
interface CausedChange {
  readonly subject: string;
  readonly data: {
    readonly actor: { readonly user_id?: string | undefined };
    readonly operation_id?: string | undefined;
    readonly secret_rotated?: true | undefined;
  };
}

/** The call that made a change, and its outcome when that is no success. */
interface Cause {
  /** The id of an operation, of a route for Members or of an operator's command. */
  readonly call: string;
  /** The code of its refusal, when the change is that it waits. */
  readonly code?: ErrorCode;
  readonly outcome?: 'failed';
}

interface EventType {
  readonly services: readonly ServiceName[];
  readonly visibility: EventVisibility;
  /**
   * Finds the cause of a change, from which the audit log makes the entry of a call whose gateway died; undefined for a change that
   * leads to no entry.
   */
  readonly cause: (change: CausedChange) => Cause | undefined;
  /** The title of a message to people about it; absent on a type about which no endpoint of webhooks sends messages. */
  readonly notice?: string;
}

const by = (call: string) => () => ({ call });
const byMemberOrOperator =
  (route: string, command: string): EventType['cause'] =>
  ({ data }) => ({ call: data.actor.user_id === undefined ? command : route });
const byNamedOperation =
  (code?: ErrorCode): EventType['cause'] =>
  ({ data: { operation_id: call } }) =>
    call === undefined ? undefined : { call, ...(code && { code }) };
/** Of a change that no call made, and of a denial: equal refusals share an entry, so one without its own may be counted. */
const noEntry = () => undefined;

const routeOfGrant = (verb: string, grantId: string) => `grants.${verb}_${kindOfGrant(grantId)}_grant`;

const recordStoreEvent = { services: ['record-store'], visibility: 'members' } as const;
const memberEvent = { services: ['grants'], visibility: 'owners' } as const;
const grantEvent = { services: ['grants'], visibility: 'concerned' } as const;
const approvalEvent = { services: ['grants'], visibility: 'approvers' } as const;
const definitionEvent = { services: ['grants'], visibility: 'owners' } as const;
const connectorEvent = { services: ['custom-operations'], visibility: 'owners' } as const;
const webhookEvent = { services: ['events'], visibility: 'owners' } as const;
const mailEvent = { services: ['mail'], visibility: 'concerned' } as const;
const senderEvent = { services: ['mail'], visibility: 'owners' } as const;

const types = {
  'collection.created': { ...recordStoreEvent, cause: by('record_store.create_collection') },
  'record.pushed': {
    ...recordStoreEvent,
    cause: ({ data: { operation_id = 'record_store.push_record' } }) => ({ call: operation_id }),
  },
  'record.replaced': { ...recordStoreEvent, cause: by('record_store.replace_record') },
  'record.patched': { ...recordStoreEvent, cause: by('record_store.patch_record') },
  'record.archived': { ...recordStoreEvent, cause: by('record_store.archive_record') },
  'record.restored': { ...recordStoreEvent, cause: by('record_store.restore_record') },
  'record.deleted': { ...recordStoreEvent, cause: by('record_store.delete_record') },
  'grant.created': { ...grantEvent, cause: ({ subject }) => ({ call: routeOfGrant('create', subject) }) },
  'grant.revoked': {
    ...grantEvent,
    cause: (change) =>
      byMemberOrOperator(routeOfGrant('revoke', change.subject), 'admin.grants.revoke_grant')(change),
  },
  'member.added': {
    ...memberEvent,
    cause: byMemberOrOperator('grants.add_member', 'admin.grants.add_member'),
  },
  'member.role_changed': {
    ...memberEvent,
    cause: byMemberOrOperator('grants.change_member', 'admin.grants.set_member_role'),
  },
  'member.renamed': { ...memberEvent, cause: by('grants.change_member') },
  'member.removed': {
    ...memberEvent,
    cause: byMemberOrOperator('grants.remove_member', 'admin.grants.remove_member'),
  },
  'app.connected': {
    ...grantEvent,
    cause: byMemberOrOperator('grants.create_app_connection', 'admin.grants.connect_app'),
  },
  'app.disconnected': {
    ...grantEvent,
    cause: byMemberOrOperator('grants.delete_app_connection', 'admin.grants.disconnect_app'),
  },
  'workspace.limit_changed': { ...memberEvent, cause: by('admin.grants.limit_workspace') },
  'approval.requested': {
    ...approvalEvent,
    cause: byNamedOperation('operation_approval_required'),
    notice: 'A call waits for a decision',
  },
  'approval.approved': {
    ...approvalEvent,
    cause: by('grants.decide_approval'),
    notice: 'A call was approved',
  },
  'approval.rejected': {
    ...approvalEvent,
    cause: by('grants.decide_approval'),
    notice: 'A call was rejected',
  },
  'approval_rules.changed': {
    services: ['grants'],
    visibility: 'owners',
    cause: by('grants.set_approval_rules'),
  },
  'agent_policy.changed': {
    services: ['grants'],
    visibility: 'owners',
    cause: by('grants.set_agent_policy'),
  },
  'custom_operation.registered': { ...definitionEvent, cause: by('grants.put_custom_operation') },
  'custom_operation.changed': { ...definitionEvent, cause: by('grants.put_custom_operation') },
  'custom_operation.removed': {
    ...definitionEvent,
    cause: byMemberOrOperator('grants.remove_custom_operation', 'admin.grants.remove_custom_operation'),
  },
  'custom_operation.executed': {
    services: ['custom-operations'],
    visibility: 'concerned',
    cause: byNamedOperation(),
  },
  'connector.changed': {
    ...connectorEvent,
    cause: by('custom_operations.put_connector'),
    notice: 'A connector was changed',
  },
  'connector.removed': {
    ...connectorEvent,
    cause: by('custom_operations.remove_connector'),
    notice: 'A connector was removed',
  },
  'connector.failing': {
    ...connectorEvent,
    cause: noEntry,
    notice: 'An API refuses the credential of a connector',
  },
  'connector.tool_changed': {
    ...connectorEvent,
    cause: noEntry,
    notice: 'A tool of a connector was changed, and is not called',
  },
  'mail.drafted': { ...mailEvent, cause: by('mail.send_email') },
  'mail.failed': { ...mailEvent, cause: () => ({ call: 'mail.send_email', outcome: 'failed' }) },
  'mail.denied': { ...mailEvent, cause: noEntry },
  'sender.added': {
    ...senderEvent,
    cause: byMemberOrOperator('mail.create_sender', 'admin.mail.add_sender'),
  },
  'sender.changed': {
    ...senderEvent,
    cause: byMemberOrOperator('mail.change_sender', 'admin.mail.add_sender'),
  },
  'sender.removed': {
    ...senderEvent,
    cause: byMemberOrOperator('mail.delete_sender', 'admin.mail.remove_sender'),
  },
  'procedure.drafted': {
    services: ['procedures'],
    visibility: 'members',
    cause: by('procedures.create_draft'),
  },
  'webhook_endpoint.created': { ...webhookEvent, cause: by('events.create_webhook_endpoint') },
  'webhook_endpoint.changed': {
    ...webhookEvent,
    cause: ({ data }) => ({
      call: data.secret_rotated ? 'events.rotate_webhook_secret' : 'events.change_webhook_endpoint',
    }),
  },
  'webhook_endpoint.deleted': { ...webhookEvent, cause: by('events.delete_webhook_endpoint') },
  'webhook_endpoint.failing': { ...webhookEvent, cause: noEntry, notice: 'A webhook endpoint fails' },
  'feed.gap': { services, visibility: 'members', cause: noEntry },
} as const satisfies Record<string, EventType>;

export type ChangeEventType = keyof typeof types;

/** Every type of change event. */
export const changeEventTypes: Readonly<Record<ChangeEventType, EventType>> = types;

/** The types of the changes of a service's documents; `feed.gap` is none of them. */
export type ChangeTypeOf<Service extends ServiceName> = {
  [Type in ChangeEventType]: (typeof types)[Type]['services'] extends readonly [Service] ? Type : never;
}[ChangeEventType];

/** The title of a message to people about an event; undefined for a type about which none is sent, and for an unknown one. */
export function noticeOf(type: string): string | undefined {
  return Object.hasOwn(types, type) ? changeEventTypes[type as ChangeEventType].notice : undefined;
}
