import type { Bus } from '@action-platform/bus';
import { EVENTS, requireTimeLeft, type Timed } from '@action-platform/contracts';
import { eventsIn } from '../feed/events-in.ts';
import type { Position } from '../feed/position.ts';

/** How many messages, and about how many bytes of them, a search takes at once. */
const SEARCHED = { limit: 200, maxBytes: 1024 * 1024 };

/** The position of an event of a Workspace in the stream; undefined when the stream does not have it any more. */
export async function findEvent(
  bus: Bus,
  workspaceId: string,
  eventId: string,
  timed: Timed,
): Promise<Position | undefined> {
  for (let from = 1; ; ) {
    requireTimeLeft(timed);
    const messages = await bus.streams.read(EVENTS, { workspaceId, from, ...SEARCHED });
    for (const message of messages) {
      // Few messages name the id, so few are parsed.
      if (!Buffer.from(message.body).includes(eventId)) continue;
      const index = eventsIn(message).findIndex((event) => event?.id === eventId);
      if (index !== -1) return { sequence: message.sequence, index };
    }
    if (messages.length === 0) return undefined;
    from = messages.at(-1)!.sequence + 1;
  }
}
