import type { Bus, StreamState } from '@action-platform/bus';
import { EVENTS } from '@action-platform/contracts/bus';

/** How old the state may be by which a cursor is too old, in milliseconds: it changes slowly. */
const MOST_AGE_MS = 1_000;

/** The state of the stream of events. Readers of about the same time share a request for it. */
export class EventsState {
  readonly #bus: Bus;
  #asked: { readonly at: number; readonly state: Promise<StreamState> } | undefined;

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  /** The state of now. Rejects while JetStream is away. */
  now(): Promise<StreamState> {
    const state = this.#bus.streams.state(EVENTS);
    const asked = { at: performance.now(), state };
    this.#asked = asked;
    state.catch(() => {
      if (this.#asked === asked) this.#asked = undefined;
    });
    return state;
  }

  /** Whether the stream reaches a sequence, and is not another one: one that was restored from a backup may end before. */
  async reaches(createdAt: Date, sequence: number): Promise<boolean> {
    const isIn = (state: StreamState) =>
      state.createdAt.getTime() === createdAt.getTime() && sequence <= state.lastSequence + 1;
    return isIn(await this.recent()) || isIn(await this.now());
  }

  /** The state of about now. */
  recent(): Promise<StreamState> {
    const asked = this.#asked;
    return asked !== undefined && performance.now() - asked.at < MOST_AGE_MS ? asked.state : this.now();
  }
}
