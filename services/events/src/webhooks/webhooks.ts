import { setTimeout as delay } from 'node:timers/promises';
import type { Bus } from '@action-platform/bus';
import {
  ActionError,
  type Limits,
  memberRole,
  type SessionClaims,
  storedEvent,
  type Timed,
  webhooksDueEvent,
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
import { secretsOf } from './endpoint-secrets.ts';
import type { DestinationPolicy } from './endpoint-url.ts';
import { Endpoints } from './endpoints.ts';
import { FanOut, noteChange, openFanOut } from './fan-out.ts';
import { failureCounter } from './metrics.ts';
import { Sender } from './send.ts';
import { openDeliveries, type StoredDelivery } from './stored-delivery.ts';
import { openEndpoints } from './stored-endpoint.ts';
import { Turns } from './turns.ts';
import { type DueEndpoint, Worker } from './worker.ts';

/** The pause after a failed turn, in milliseconds. */
const RETRY_MS = 2_000;
/** A replica that ended no turn for so long is not ready, in milliseconds. */
const STUCK_MS = 10_000;

/** The settings of webhooks. */
export interface WebhookSettings extends Pick<Limits, 'PAGE_MAX_BYTES' | 'WORKSPACE_WEBHOOK_ENDPOINTS_MAX'> {
  readonly WEBHOOK_SECRET_KEYS?: string | undefined;
  readonly WEBHOOK_ALLOWED_NETWORKS?: string | undefined;
  readonly WEBHOOK_PROXY?: string | undefined;
  readonly WEBHOOK_HTTP_TO_LOOPBACK: boolean;
}

/** What the calls of Owners need. */
export interface Webhooks {
  readonly bus: Bus;
  readonly endpoints: Endpoints;
  readonly deliveries: Deliveries;
  readonly keys: SecretKeys;
  readonly policy: DestinationPolicy;
  readonly cursors: Cursors;
  readonly limits: WebhookSettings;
  /** Resolves with the session of an Owner. @throws ActionError for any other user. */
  readonly requireOwner: (session: SessionClaims, context: CallContext) => Promise<SessionClaims>;
  /** How many streams the fan-out has read. */
  readonly epoch: (timed: Timed) => Promise<number>;
  /** Has all replicas look for deliveries of an endpoint, and the fan-out for what it is behind with. */
  readonly announce: (due: readonly DueEndpoint[]) => void;
  /** Encrypts the secrets of all endpoints with the newest key. */
  rekey(timed: Timed): ReturnType<typeof rekeySecrets>;
  /** Whether deliveries have come to a halt in this replica. */
  isStuck(): boolean;
  stop(): Promise<void>;
}

/** Opens the webhooks of a deployment, and begins to deliver. */
export async function openWebhooks(
  db: Db,
  { bus, cursors, log }: Pick<Dependencies, 'bus' | 'cursors'> & { readonly log: Logger },
  settings: WebhookSettings,
): Promise<Webhooks> {
  const keys = readSecretKeys('WEBHOOK_SECRET_KEYS', settings.WEBHOOK_SECRET_KEYS);
  const policy = {
    allowedNetworks: readNetworks('WEBHOOK_ALLOWED_NETWORKS', settings.WEBHOOK_ALLOWED_NETWORKS),
    allowsHttpToLoopback: settings.WEBHOOK_HTTP_TO_LOOPBACK,
  };
  const stored = await openEndpoints(db);
  const secrets = secretsOf(stored);
  await requireKeysInUse(secrets, keys);
  const state = openFanOut(db);
  const endpoints = new Endpoints(stored, () => noteChange(state));
  const deliveries = new Deliveries(await openDeliveries(db));
  const sender = new Sender({ ...policy, proxy: settings.WEBHOOK_PROXY });

  const stopping = new AbortController();
  const countFailure = failureCounter();
  const [reading, working] = [new Turns(), new Turns()];
  const options = { endpoints, deliveries, sender, keys, log, countFailure };
  const worker = new Worker(options, stopping.signal, () => working.wake());
  /** Without names, an endpoint was changed. */
  const heard = (due: readonly DueEndpoint[]) => {
    if (due.length === 0 && fanOut.isOurs) reading.wake();
    worker.found(due);
  };
  const announce = (due: readonly DueEndpoint[]) => {
    bus.publish(webhooksDueEvent, { due: [...due] });
    heard(due);
  };
  const onAdded = (added: readonly StoredDelivery[]) => {
    if (added.length === 0) return;
    const due = new Map(
      added.map(({ workspace_id, endpoint_id }) => [endpoint_id, { workspace_id, endpoint_id }]),
    );
    announce([...due.values()]);
  };
  const fanOut = await FanOut.open({ bus, endpoints, deliveries, onAdded }, state);
  bus.subscribe(storedEvent, () => {
    if (fanOut.isOurs) reading.wake();
  });
  bus.subscribe(webhooksDueEvent, ({ due }) => heard(due));

  /** A turn after whose failure the next one begins anew. */
  const guarded = (turn: () => Promise<number>, onFailure: () => void) => async () => {
    try {
      return await turn();
    } catch (err) {
      onFailure();
      if (stopping.signal.aborted) return 0;
      countFailure();
      log.warn({ err }, 'webhook turn failed');
      await delay(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => {});
      return 0;
    }
  };
  const running = [
    reading.run(
      guarded(
        () => fanOut.turn(),
        () => fanOut.forget(),
      ),
      stopping.signal,
    ),
    working.run(
      guarded(
        () => worker.turn(),
        () => {},
      ),
      stopping.signal,
    ),
  ];
  return {
    bus,
    endpoints,
    deliveries,
    keys,
    policy,
    cursors,
    limits: settings,
    announce,
    epoch: (timed) => fanOut.epoch(timed),
    requireOwner: async (session, context) => {
      const { role } = await callOnward(bus, memberRole, session, context);
      if (role !== 'owner') throw new ActionError('owner_role_required');
      return session;
    },
    rekey: (timed) => rekeySecrets(secrets, keys, timed),
    isStuck: () => reading.isStuck(STUCK_MS) || working.isStuck(STUCK_MS),
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
      await Promise.all([worker.ended(), fanOut.end().catch(() => {})]);
      sender.close();
    },
  };
}
