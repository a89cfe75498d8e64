import { storedEvent } from '@action-platform/contracts/bus';
import type { Timed } from '@action-platform/contracts/calls';
import { failureLevel, reportDefect } from '@action-platform/contracts/errors';
import { openIndexed } from '@action-platform/mongo';
import { readNetworks, Sender } from '@action-platform/outbound-http';
import { readSecretKeys, rekeySecrets, requireKeysInUse } from '@action-platform/sealing';
import { type CallContext, collectionIdsOf, type Logger, requireOwner } from '@action-platform/service-host';
import type { Db } from 'mongodb';
import type { z } from 'zod';
import type { eventsConfig } from '../config.ts';
import type { Dependencies } from '../dependencies.ts';
import { filteredCollections } from '../feed/filtered-collections.ts';
import { secretsOf } from './endpoints/endpoint-secrets.ts';
import { Endpoints } from './endpoints/endpoints.ts';
import { type EndpointId, storedEndpoints } from './endpoints/stored-endpoint.ts';
import { Deliveries } from './queue/deliveries.ts';
import { FanOut, openFanOut } from './queue/fan-out.ts';
import { Loop } from './queue/loop.ts';
import { countFailure } from './queue/metrics.ts';
import { storedDeliveries } from './queue/stored-delivery.ts';
import { suspensions } from './queue/suspensions.ts';
import { Worker } from './queue/worker.ts';
import { messageWriter } from './sending/notices.ts';

/** A replica whose loops have ended no tick for so long is not ready, in milliseconds. */
const STUCK_MS = 10_000;

/** The webhooks of a deployment in a replica, with what the calls of Owners need. */
export type Webhooks = Awaited<ReturnType<typeof openWebhooks>>;

/** Opens the webhooks of a deployment, and begins to deliver. */
export async function openWebhooks(
  db: Db,
  { bus, cursors, log }: Pick<Dependencies, 'bus' | 'cursors'> & { readonly log: Logger },
  settings: z.output<typeof eventsConfig>,
) {
  const keys = readSecretKeys('WEBHOOK_SECRET_KEYS', settings.WEBHOOK_SECRET_KEYS);
  const policy = {
    allowedNetworks: readNetworks('WEBHOOK_ALLOWED_NETWORKS', settings.WEBHOOK_ALLOWED_NETWORKS),
    allowsHttpToLoopback: settings.WEBHOOK_HTTP_TO_LOOPBACK,
  };
  const stored = await openIndexed(db, storedEndpoints);
  const secrets = secretsOf(stored);
  await requireKeysInUse(secrets, keys);
  const endpoints = new Endpoints(stored);
  const deliveries = new Deliveries(await openIndexed(db, storedDeliveries));
  const sender = new Sender({ ...policy, proxy: settings.WEBHOOK_PROXY });

  const stopping = new AbortController();
  const { signal } = stopping;
  const onFailure = (err: unknown, of?: object) => {
    countFailure(1);
    log[failureLevel(err)]({ err, ...of }, 'webhooks failed; trying again');
  };
  const write = messageWriter(bus, settings.PUBLIC_URL);
  const isSuspended = suspensions(bus);
  const worker = new Worker(
    { endpoints, deliveries, sender, keys, log, write, isSuspended, onFailure },
    signal,
  );
  const onAdded = (due: Iterable<EndpointId>) => worker.notify(due);
  const fanOut = new FanOut(
    { bus, endpoints, deliveries, log, stopping: signal, onAdded },
    await openFanOut(db),
  );
  const [reading, polling] = [new Loop(), new Loop()];
  bus.subscribe(storedEvent, () => {
    if (fanOut.isOurs) reading.notify();
  });
  const running = [
    reading.run(() => fanOut.tick(), onFailure, signal),
    polling.run(() => worker.poll(), onFailure, signal),
  ];
  return {
    bus,
    endpoints,
    deliveries,
    keys,
    policy,
    cursors,
    limits: settings,
    fanOut,
    /** The worker of this replica; the workers of all others look for deliveries within a second. */
    worker,
    requireOwner: requireOwner(bus),
    /** The ids of the Collections that an endpoint is about; throws ActionError `invalid_request` for a name that the Workspace does not have. */
    collectionIds: async (workspaceId: string, collections: readonly string[], context: CallContext) =>
      filteredCollections('collectionIds', await collectionIdsOf(bus, workspaceId, collections, context)),
    /** Encrypts the secrets of all endpoints with the newest key. */
    rekey: (timed: Timed) => rekeySecrets(secrets, keys, timed),
    /** Whether deliveries have come to a halt in this replica. */
    isStuck: () => reading.isStuck(STUCK_MS) || polling.isStuck(STUCK_MS),
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
      await Promise.all([
        worker.ended(),
        fanOut.end().catch(reportDefect(log, 'the lease of the fan-out was not given back')),
      ]);
      sender.close();
    },
  };
}
