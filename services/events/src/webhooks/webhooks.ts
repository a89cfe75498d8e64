import {
  ActionError,
  type Limits,
  memberRole,
  type SessionClaims,
  storedEvent,
  type Timed,
} from '@action-platform/contracts';
import type { Cursors } from '@action-platform/paging';
import {
  readSecretKeys,
  rekeySecrets,
  requireKeysInUse,
  type SecretKeys,
} from '@action-platform/sealed-secrets';
import { type CallContext, callOnward, type Logger } from '@action-platform/service-host';
import type { Db } from 'mongodb';
import type { Dependencies } from '../dependencies.ts';
import { readNetworks } from './addresses.ts';
import { Deliveries } from './deliveries.ts';
import { Dispatcher } from './dispatcher.ts';
import { EndpointLeases, openReplicas } from './endpoint-leases.ts';
import { secretsOf } from './endpoint-secrets.ts';
import type { DestinationPolicy } from './endpoint-url.ts';
import { Endpoints } from './endpoints.ts';
import { EventStream } from './event-stream.ts';
import { Sender } from './send.ts';
import { openDeliveries } from './stored-delivery.ts';
import { openEndpoints } from './stored-endpoint.ts';

/** The settings of webhooks. */
export interface WebhookSettings extends Pick<Limits, 'PAGE_MAX_BYTES' | 'WORKSPACE_WEBHOOK_ENDPOINTS_MAX'> {
  readonly WEBHOOK_SECRET_KEYS?: string | undefined;
  readonly WEBHOOK_ALLOWED_NETWORKS?: string | undefined;
  readonly WEBHOOK_PROXY?: string | undefined;
  readonly WEBHOOK_HTTP_TO_LOOPBACK: boolean;
}

/** What the calls of Owners need. */
export interface Webhooks {
  readonly endpoints: Endpoints;
  readonly deliveries: Deliveries;
  readonly events: EventStream;
  readonly keys: SecretKeys;
  readonly policy: DestinationPolicy;
  readonly cursors: Cursors;
  readonly limits: WebhookSettings;
  readonly dispatcher: Dispatcher;
  /** Resolves with the session of an Owner. @throws ActionError for any other user. */
  readonly requireOwner: (session: SessionClaims, context: CallContext) => Promise<SessionClaims>;
  /** Encrypts the secrets of all endpoints with the newest key. */
  rekey(timed: Timed): ReturnType<typeof rekeySecrets>;
  stop(): Promise<void>;
}

/** Opens the webhooks of a deployment, and begins to deliver. */
export async function openWebhooks(
  db: Db,
  { bus, stream, cursors, log }: Dependencies & { readonly log: Logger },
  settings: WebhookSettings,
): Promise<Webhooks> {
  const keys = readSecretKeys('WEBHOOK_SECRET_KEYS', settings.WEBHOOK_SECRET_KEYS);
  const policy = {
    allowedNetworks: readNetworks('WEBHOOK_ALLOWED_NETWORKS', settings.WEBHOOK_ALLOWED_NETWORKS),
    allowsHttpToLoopback: settings.WEBHOOK_HTTP_TO_LOOPBACK,
  };
  const stored = await openEndpoints(db);
  const endpoints = new Endpoints(stored);
  const secrets = secretsOf(stored);
  await requireKeysInUse(secrets, keys);
  const deliveries = new Deliveries(await openDeliveries(db));
  const events = new EventStream(bus, stream);
  const sender = new Sender({ ...policy, proxy: settings.WEBHOOK_PROXY });
  const leases = new EndpointLeases(stored, await openReplicas(db));
  const dispatcher = new Dispatcher(leases, { endpoints, deliveries, events, sender, keys, log });
  bus.subscribe(storedEvent, ({ stored: named }) => {
    for (const { workspace_id, sequence } of named) dispatcher.wake(workspace_id, sequence);
  });
  return {
    endpoints,
    deliveries,
    events,
    keys,
    policy,
    cursors,
    limits: settings,
    dispatcher,
    requireOwner: async (session, context) => {
      const { role } = await callOnward(bus, memberRole, session, context);
      if (role !== 'owner') throw new ActionError('owner_role_required');
      return session;
    },
    rekey: (timed) => rekeySecrets(secrets, keys, timed),
    stop: async () => {
      await dispatcher.stop();
      sender.close();
    },
  };
}
