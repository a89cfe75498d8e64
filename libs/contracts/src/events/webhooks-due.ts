import { z } from 'zod';
import { opaqueId } from '../schema/fields.ts';
import type { Event } from './event.ts';

/**
 * Names webhook endpoints with deliveries that are due: every replica of events claims some now. Without names, an endpoint was changed.
 * Delivery is best-effort: the replicas also look without it, every second.
 */
export const webhooksDueEvent = {
  subject: 'event.webhooks_due',
  publishers: ['events'],
  subscribers: ['events'],
  body: z.object({ due: z.array(z.object({ workspace_id: opaqueId, endpoint_id: opaqueId })) }),
} as const satisfies Event;
