import { z } from 'zod';
import { askersOf } from '../calls/askers.ts';
import { type ServiceName, services } from '../services.ts';
import type { Event } from './event.ts';

/**
 * A replica of a service is there, or leaves. It says so when it joins the bus and again every few seconds, so that those who
 * ask it know whom to look for when an answer is missing.
 */
export function replicaEvent(service: ServiceName) {
  return {
    subject: `event.replica.${service}`,
    publishers: [service],
    subscribers: askersOf(service),
    body: z.object({
      /** The part of its subjects that is its alone. */
      replica: z.string().regex(/^[0-9A-Za-z]{1,32}$/),
      /** It has answered everything that it was asked. */
      leaves: z.boolean().optional(),
    }),
  } as const satisfies Event;
}

export const replicaEvents: readonly Event[] = services.map(replicaEvent);
