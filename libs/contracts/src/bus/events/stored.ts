import { z } from 'zod';
import { opaqueId } from '../../schema/fields.ts';
import { EVENTS } from '../streams/all-streams.ts';
import type { Event } from './event.ts';

/**
 * Names Workspaces with new change events: their readers need not wait any longer. The event is published after JetStream acknowledged the
 * events, so they can be read. Delivery is best-effort: readers also look without it, after some seconds.
 */
export const storedEvent = {
  subject: 'event.stored',
  publishers: EVENTS.publishers,
  subscribers: ['gateway', 'events'],
  body: z.object({
    stored: z.array(
      z.object({
        workspace_id: opaqueId,
        /** The sequence of the Workspace's last message in the stream. */
        sequence: z.int().min(1),
      }),
    ),
  }),
} as const satisfies Event;
