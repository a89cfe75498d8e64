import { type ServiceName, services } from '../services.ts';

/**
 * The callers that see events of a type, besides Owners, who see all: every Member; the Member that the event concerns
 * (`data.user_id`); none.
 */
type EventVisibility = 'members' | 'concerned' | 'owners';

interface EventType {
  readonly services: readonly ServiceName[];
  readonly visibility: EventVisibility;
}

const ofRecordStore = { services: ['record-store'], visibility: 'members' } as const;
const ofMembers = { services: ['grants'], visibility: 'owners' } as const;
const ofGrants = { services: ['grants'], visibility: 'concerned' } as const;
const ofApprovals = { services: ['grants'], visibility: 'concerned' } as const;
const ofDefinitions = { services: ['grants'], visibility: 'owners' } as const;
const ofWebhooks = { services: ['events'], visibility: 'owners' } as const;
const ofMail = { services: ['mail'], visibility: 'concerned' } as const;

const types = {
  'collection.created': ofRecordStore,
  'record.pushed': ofRecordStore,
  'record.replaced': ofRecordStore,
  'record.patched': ofRecordStore,
  'record.archived': ofRecordStore,
  'record.restored': ofRecordStore,
  'record.deleted': ofRecordStore,
  'grant.created': ofGrants,
  'grant.revoked': ofGrants,
  'member.added': ofMembers,
  'member.role_changed': ofMembers,
  'member.removed': ofMembers,
  'app.connected': ofGrants,
  'app.disconnected': ofGrants,
  'approval.requested': ofApprovals,
  'approval.approved': ofApprovals,
  'approval.rejected': ofApprovals,
  'approval_rules.changed': { services: ['grants'], visibility: 'owners' },
  'custom_operation.registered': ofDefinitions,
  'custom_operation.changed': ofDefinitions,
  'custom_operation.removed': ofDefinitions,
  'custom_operation.executed': { services: ['custom-operations'], visibility: 'concerned' },
  'mail.drafted': ofMail,
  'mail.failed': ofMail,
  'mail.denied': ofMail,
  'sender.added': { services: ['mail'], visibility: 'owners' },
  'sender.changed': { services: ['mail'], visibility: 'owners' },
  'sender.removed': { services: ['mail'], visibility: 'owners' },
  'procedure.drafted': { services: ['procedures'], visibility: 'members' },
  'webhook_endpoint.created': ofWebhooks,
  'webhook_endpoint.changed': ofWebhooks,
  'webhook_endpoint.deleted': ofWebhooks,
  'webhook_endpoint.failing': ofWebhooks,
  'feed.gap': { services, visibility: 'members' },
} as const satisfies Record<string, EventType>;

export type ChangeEventType = keyof typeof types;

/** Every type of change event, with the services that publish it and the callers that see it. */
export const changeEventTypes: Readonly<Record<ChangeEventType, EventType>> = types;
