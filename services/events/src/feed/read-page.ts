import type { Bus } from '@action-platform/bus';
import { EVENTS } from '@action-platform/contracts/bus';
import { type ChangeEvent, eventsIn } from '@action-platform/contracts/change-events';
import type { Position } from './position.ts';

/** The most messages that one request reads. */
const MESSAGES = 200;
/** About the most bytes that one request reads. */
const READ_BYTES = 512 * 1024;
/** A request that returns fewer bytes than this was not ended by READ_BYTES: a message has at most 64 KiB. */
const FULL_BYTES = READ_BYTES - 128 * 1024;
/** The most bytes that a page reads; a page whose reader sees few events ends early. */
const PAGE_BYTES = 4 * 1024 * 1024;

/** The events to read. */
interface Wanted {
  readonly workspaceId: string;
  readonly from: Position;
  readonly limit: number;
  /** Decides, for the events of one request, which of them are wanted. */
  readonly wanted: (events: readonly ChangeEvent[]) => Promise<(event: ChangeEvent) => boolean>;
}

/** A page of a feed. */
export interface Page {
  readonly events: readonly ChangeEvent[];
  /** The position after each event. */
  readonly positions: readonly Position[];
  /** Where the next page starts. */
  readonly next: Position;
  /** Whether nothing more was there to read. */
  readonly isAtEnd: boolean;
}

/** Reads a page of the events of a Workspace from the stream. Rejects while JetStream is away. */
export async function readPage(bus: Bus, { workspaceId, from, limit, wanted }: Wanted): Promise<Page> {
  const events: ChangeEvent[] = [];
  const positions: Position[] = [];
  let next = from;
  for (let readBytes = 0; readBytes < PAGE_BYTES; ) {
    const messages = await bus.streams.read(EVENTS, {
      workspaceId,
      from: next.sequence,
      limit: MESSAGES,
      maxBytes: READ_BYTES,
    });
    let bytes = 0;
    const read = messages.map((message) => ({ message, there: eventsIn(message) }));
    const isWanted = await wanted(read.flatMap(({ there }) => there.filter((event) => event !== undefined)));
    for (const { message, there } of read) {
      const { sequence } = message;
      const first = sequence === next.sequence ? next.index : 0;
      for (const [index, event] of there.entries()) {
        if (index < first || event === undefined || !isWanted(event)) continue;
        if (events.length === limit) return { events, positions, next: { sequence, index }, isAtEnd: false };
        events.push(event);
        positions.push({ sequence, index: index + 1 });
      }
      next = { sequence: sequence + 1, index: 0 };
      bytes += message.body.length;
    }
    if (messages.length < MESSAGES && bytes < FULL_BYTES) return { events, positions, next, isAtEnd: true };
    readBytes += bytes;
  }
  return { events, positions, next, isAtEnd: false };
}
