import { followChanges } from '@action-platform/change-events';
import { EVENTS } from '@action-platform/contracts/bus';
import { rekeyWebhookSecrets } from '@action-platform/contracts/calls';
import { Cursors } from '@action-platform/sealing';
import { keepStream, type ServiceDefinition, serveCall } from '@action-platform/service-host';
import { eventsConfig } from './config.ts';
import type { Dependencies } from './dependencies.ts';
import { EventsState } from './feed/stream-state.ts';
import { serveListEvents } from './operations/list-events.ts';
import { serveWebhookRoutes } from './routes/webhook-routes.ts';
import { storedDocuments } from './stored-documents.ts';
import { endpointChanges } from './webhooks/endpoints/stored-endpoint.ts';
import { openWebhooks } from './webhooks/webhooks.ts';

/** The changes of Workspaces, from the stream of the services that made them. */
export const events: ServiceDefinition<typeof eventsConfig> = {
  name: 'events',
  config: eventsConfig,
  start: async (tools) => {
    const { bus, config, log, sealKeys } = tools;
    const cursors = new Cursors(sealKeys);
    const dependencies: Dependencies = { bus, stream: new EventsState(bus), cursors };
    const { db } = await tools.openDatabase();
    const webhooks = await openWebhooks(db, { ...dependencies, log }, config);
    const changes = await followChanges({
      service: 'events',
      db,
      bus,
      log,
      followed: [endpointChanges],
      workspaces: { collection: 'webhook_endpoints', field: 'workspace_id' },
    });
    // The work goes on until the service leaves: after a failed start it would never end.
    keepStream(tools, EVENTS, config.EVENTS_STREAM_MAX_BYTES);
    return {
      calls: [
        serveListEvents(dependencies),
        ...serveWebhookRoutes(webhooks),
        serveCall(rekeyWebhookSecrets, (_input, context) => webhooks.rekey(context)),
      ],
      changes,
      missing: async () => ({ needed: webhooks.isStuck() ? ['webhook deliveries'] : [] }),
      stopAccepting: () => webhooks.stop(),
      stored: { db, documents: storedDocuments },
    };
  },
};
