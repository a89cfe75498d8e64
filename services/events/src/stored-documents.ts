import type { StoredDocuments } from '@action-platform/mongo';
import { storedReplicas } from './webhooks/endpoint-leases.ts';
import { storedDeliveries } from './webhooks/stored-delivery.ts';
import { storedEndpoints } from './webhooks/stored-endpoint.ts';

/** Every collection of the service, in the order of an export. */
export const storedDocuments: readonly StoredDocuments[] = [
  storedEndpoints,
  storedDeliveries,
  storedReplicas,
];
