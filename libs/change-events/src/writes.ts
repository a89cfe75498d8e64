import type { Bus } from '@action-platform/bus';
import { writtenEvent } from '@action-platform/contracts/bus';
import type { ServiceName } from '@action-platform/contracts/services';

/** Writes of so much time share an announcement, in milliseconds. */
const ANNOUNCE_AFTER_MS = 50;

/**
 * The writes of all replicas of a service, as far as they are announced. An idle tail waits for them: looking for changes five times a
 * second took a third of the processor time of an idle platform.
 */
export class Writes {
  readonly #announce: () => void;
  #announcing: NodeJS.Timeout | undefined;
  #isAnnounced = false;
  #endWait = () => {};

  constructor(service: ServiceName, bus: Pick<Bus, 'publish' | 'subscribe'>) {
    this.#announce = () => {
      this.#announcing = undefined;
      bus.publish(writtenEvent(service), {});
    };
    bus.subscribe(writtenEvent(service), () => this.endWait());
  }

  /** Announces a write to all replicas, this one included. */
  wrote(): void {
    this.#announcing ??= setTimeout(this.#announce, ANNOUNCE_AFTER_MS).unref();
  }

  /** Waits until a write is announced, or was since the last wait, at most some milliseconds. */
  async next(mostMs: number): Promise<void> {
    if (!this.#isAnnounced) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, mostMs);
      this.#endWait = resolve;
      await promise;
      clearTimeout(timer);
    }
    this.#isAnnounced = false;
  }

  /** Ends the wait, or the next one at once. */
  endWait(): void {
    this.#isAnnounced = true;
    this.#endWait();
  }
}
