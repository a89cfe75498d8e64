import { storedCheckpoint } from '@action-platform/change-events';
import type { StoredDocuments } from '@action-platform/mongo';
import { storedFanOut } from './webhooks/fan-out.ts';
import { storedDeliveries } from './webhooks/stored-delivery.ts';
import { storedEndpoints } from './webhooks/stored-endpoint.ts';

/** Every collection of the service, in the order of an export. */
export const storedDocuments: readonly StoredDocuments[] = [
  storedEndpoints,
  storedDeliveries,
  storedFanOut,
  storedCheckpoint,
];
