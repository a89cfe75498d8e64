import type { Bus, StreamState } from '@action-platform/bus';
import { EVENTS } from '@action-platform/contracts/bus';

/** How old the state may be by which a cursor is too old, in milliseconds: the state changes slowly. */
const MOST_AGE_MS = 1_000;

/** The state of the stream of events. Readers of about the same time share a request for it. */
export class EventsState {
  readonly #bus: Bus;
  #latest: { readonly at: number; readonly state: Promise<StreamState> } | undefined;

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  /** The state of now. Rejects while JetStream is away. */
  now(): Promise<StreamState> {
    const state = this.#bus.streams.state(EVENTS);
    const latest = { at: performance.now(), state };
    this.#latest = latest;
    state.catch(() => {
      if (this.#latest === latest) this.#latest = undefined;
    });
    return state;
  }

  /** Whether the stream reaches a sequence, and is not another one: a stream that was restored from a backup may end before. */
  async reaches(createdAt: Date, sequence: number): Promise<boolean> {
    const contains = (state: StreamState) =>
      state.createdAt.getTime() === createdAt.getTime() && sequence <= state.lastSequence + 1;
    return contains(await this.recent()) || contains(await this.now());
  }

  /** The state of about now. */
  recent(): Promise<StreamState> {
    const latest = this.#latest;
    return latest !== undefined && performance.now() - latest.at < MOST_AGE_MS ? latest.state : this.now();
  }
}
