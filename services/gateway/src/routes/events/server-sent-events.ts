import type { FeedPage } from '@action-platform/contracts/operations';

/** The result of events.list_events, as far as a stream needs it. */
export interface EventPage {
  readonly events: readonly object[];
  readonly next_cursor: string;
}

/** How long a client waits before it connects again, in milliseconds. */
export const RETRY = 'retry: 1000\n';

/**
 * A page as server-sent events (HTML, section 9.2), each with a cursor after it as its id. An empty page is a block without data: it
 * dispatches no event, and a client keeps its id.
 *
 * @param cursorAt the cursor of a position in this feed
 */
export function eventsText(
  { events, next_cursor }: EventPage,
  { positions = [] }: FeedPage,
  cursorAt: (position: string) => string,
): string {
  if (events.length === 0) return `: nothing new\nid: ${next_cursor}\n\n`;
  return events
    .map((event, index) => `id: ${cursorAt(positions[index]!)}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
}

/** The last event of a stream whose caller may no longer read. @param envelope of the error */
export function refusalText(envelope: object): string {
  return `event: refused\ndata: ${JSON.stringify(envelope)}\n\n`;
}
