import type { ChangeEvent } from '@action-platform/contracts';
import type { EventStream, ReadEvent } from './event-stream.ts';
import type { Position, StoredEndpoint } from './stored-endpoint.ts';

/** The pause between reads of a stream when nothing wakes the worker, in milliseconds. */
const LOOK_MS = 10_000;
/** The pause before the next read when the server that answered may be behind, in milliseconds, times the reads so far. */
const BEHIND_MS = 50;
/** How many reads may find nothing until the stream counts as read: it may have dropped what was known. */
const EMPTY_READS = 10;

/** Events that were taken, and the position after them; no position when there was nothing. */
interface Taken {
  readonly events: readonly ReadEvent[];
  readonly next?: Position;
}

/** The events of the stream that an endpoint has not taken yet. */
export class UnreadEvents {
  readonly #stream: EventStream;
  readonly #workspaceId: string;
  readonly #isWanted: (event: ChangeEvent) => boolean;
  /** Events that were read and not taken. */
  #read: ReadEvent[] = [];
  /** The position after what was read. */
  #position: Position;
  /** The sequence up to which there are events, as far as is known. */
  #known = 0;
  #looksAt = 0;
  /** How many reads in a row found nothing. */
  #emptyReads = 0;

  constructor(stream: EventStream, { workspace_id, types }: StoredEndpoint, position: Position) {
    this.#stream = stream;
    this.#workspaceId = workspace_id;
    this.#isWanted = ({ type }) => types === null || types.includes(type);
    this.#position = position;
  }

  /** The time of the oldest event; undefined without one. */
  get oldest(): number | undefined {
    const [first] = this.#read;
    return first && Date.parse(first.event.time);
  }

  /** How long to wait before the next `take`, in milliseconds. */
  get pauseMs(): number {
    return this.#isBehind ? BEHIND_MS * this.#emptyReads : LOOK_MS;
  }

  /** There are events up to a sequence. */
  wake(sequence: number): void {
    this.#known = Math.max(this.#known, sequence);
    this.#emptyReads = 0;
  }

  /** Takes up to `limit` events, and reads on when it is time to look for them. */
  async take(limit: number): Promise<Taken> {
    const before = this.#position;
    if (this.#read.length === 0 && (this.#isBehind || performance.now() >= this.#looksAt))
      await this.#readOn();
    const events = this.#read.splice(0, limit);
    if (this.#read.length > 0) return { events, next: events.at(-1)!.next };
    return this.#position === before && events.length === 0 ? { events } : { events, next: this.#position };
  }

  get #isBehind(): boolean {
    return this.#position.sequence <= this.#known;
  }

  async #readOn(): Promise<void> {
    const { events, next } = await this.#stream.read(this.#workspaceId, this.#position, this.#isWanted);
    const isEmpty = next.sequence === this.#position.sequence && next.index === this.#position.index;
    this.#looksAt = isEmpty ? performance.now() + LOOK_MS : 0;
    this.#emptyReads = isEmpty ? this.#emptyReads + 1 : 0;
    if (this.#emptyReads > EMPTY_READS) this.#known = 0;
    if (isEmpty) return;
    this.#read = events;
    this.#position = next;
  }
}
