import type { ErrorEntry } from './entry.ts';

/** Errors of the feed of change events. */
export const eventErrors = {
  event_cursor_expired: {
    status: 400,
    message: 'The events after this cursor are no longer kept.',
    recoverable: true,
    next: 'Call events.list_events with cursor latest and keep its next_cursor. Then list the Collections and their Records with record_store.list_collections and record_store.list_records, and go on with that cursor.',
    why: 'Events are kept for 7 days, fewer when there are very many, and none across a new installation of the event store. A reader that was away for longer has missed some, so it has to look at the present state once.',
  },
} as const satisfies Record<string, ErrorEntry>;
