import type { Bus } from '@action-platform/bus';
import { type ChangeEvent, EVENTS, requireTimeLeft, type Timed } from '@action-platform/contracts';
import { eventsIn } from '../feed/events-in.ts';
import { readPage } from '../feed/read-page.ts';
import type { EventsState } from '../feed/stream-state.ts';
import type { Position } from './stored-endpoint.ts';

/** How many events a read takes at most. */
const READ_EVENTS = 256;
/** How many messages, and about how many bytes of them, a search takes at once. */
const SEARCHED = { limit: 200, maxBytes: 1024 * 1024 };

/** An event of a Workspace, and the position after it. */
export interface ReadEvent {
  readonly event: ChangeEvent;
  readonly next: Position;
}

/** The stream of events, from positions that endpoints store. */
export class EventStream {
  readonly #bus: Bus;
  readonly #state: EventsState;

  constructor(bus: Bus, state: EventsState) {
    this.#bus = bus;
    this.#state = state;
  }

  /** The position after the last event of all Workspaces. */
  async end(): Promise<Position> {
    const { lastSequence, createdAt } = await this.#state.now();
    return { stream: createdAt, sequence: lastSequence + 1, index: 0 };
  }

  /** The position at which reading goes on: the beginning of a stream that was created anew, or set back to a backup, since. */
  async resumed(position: Position): Promise<Position> {
    if (await this.#state.reaches(position.stream, position.sequence)) return position;
    const { createdAt } = await this.#state.recent();
    return { stream: createdAt, sequence: 1, index: 0 };
  }

  /**
   * The next events of a Workspace that are wanted, in order, and the position after all that was read. When it read nothing, the end
   * need not be reached: the server that answered may be behind the others.
   */
  async read(
    workspaceId: string,
    { stream, ...from }: Position,
    isWanted: (event: ChangeEvent) => boolean,
  ): Promise<{ events: ReadEvent[]; next: Position }> {
    const page = await readPage(this.#bus, { workspaceId, from, limit: READ_EVENTS, isWanted });
    const events = page.events.map((event, n) => ({ event, next: { stream, ...page.positions[n]! } }));
    return { events, next: { stream, ...page.next } };
  }

  /** The position of an event of a Workspace; undefined when the stream does not have it any more. */
  async find(workspaceId: string, eventId: string, timed: Timed): Promise<Position | undefined> {
    const { stream } = await this.end();
    let from = 1;
    for (;;) {
      requireTimeLeft(timed);
      const messages = await this.#bus.streams.read(EVENTS, { workspaceId, from, ...SEARCHED });
      for (const message of messages) {
        // Few messages name the id, so few are parsed.
        if (!Buffer.from(message.body).includes(eventId)) continue;
        const index = eventsIn(message).findIndex((event) => event?.id === eventId);
        if (index !== -1) return { stream, sequence: message.sequence, index };
      }
      if (messages.length === 0) return undefined;
      from = messages.at(-1)!.sequence + 1;
    }
  }
}
