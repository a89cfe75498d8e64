import { z } from 'zod';
import type { ProcessName } from '../../services/services.ts';
import type { Event } from './event.ts';

/**
 * Tells the replicas of a service that one of them has written something: the replica that publishes change events reads them now. Delivery
 * is best-effort: the replica also reads without the event, every second.
 */
export function writtenEvent(service: ProcessName) {
  return {
    subject: `event.written.${service}`,
    publishers: [service],
    subscribers: [service],
    body: z.object({}),
  } as const satisfies Event;
}
