import { z } from 'zod';
import { type ServiceName, services } from '../services.ts';
import type { Event } from './event.ts';
import { replySubjects } from './reply-subjects.ts';

/** The subjects on which the messages of the question ask for their answer. */
const body = z.object({ replies: replySubjects });

/**
 * Nobody waits any more for the answer to a question that the gateway has asked a service. Every replica of it hears that,
 * as only the one that works on it knows that it does. What was not begun is dropped then, and what only reads ends.
 */
export function withdrawnEvent(service: ServiceName) {
  return {
    subject: `event.withdrawn.${service}`,
    publishers: ['gateway'],
    subscribers: [service],
    body,
  } as const satisfies Event;
}

export const withdrawnEvents: readonly Event[] = services.map(withdrawnEvent);
