import { z } from 'zod';
import type { ServiceName } from '../../services/services.ts';
import type { Event } from './event.ts';

/** Subjects of awaited answers, at most as many as one message may have. */
export const replySubjects = z.array(z.string().max(256)).max(256);

const body = z.object({ replies: replySubjects });

/**
 * The cancellation of a request that the gateway sent to a service. Every replica receives it, as the gateway does not
 * know which one works on the request. That replica drops the request if it has not begun, and ends reads.
 */
export function cancelledEvent(service: ServiceName) {
  return {
    subject: `event.cancelled.${service}`,
    publishers: ['gateway'],
    subscribers: [service],
    body,
  } as const satisfies Event;
}
