import { storedCheckpoint } from '@action-platform/change-events';
import type { StoredDocuments } from '@action-platform/mongo';
import { storedEndpoints } from './webhooks/endpoints/stored-endpoint.ts';
import { storedFanOut } from './webhooks/queue/fan-out.ts';
import { storedDeliveries } from './webhooks/queue/stored-delivery.ts';

/** Every collection of the service, in the order of an export. */
export const storedDocuments: readonly StoredDocuments[] = [
  storedEndpoints,
  storedDeliveries,
  storedFanOut,
  storedCheckpoint,
];
