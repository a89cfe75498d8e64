import { setTimeout as delay } from 'node:timers/promises';
import type { Bus } from '@action-platform/bus';
import { EVENTS, storedEvent } from '@action-platform/contracts/bus';
import { failureLevel } from '@action-platform/contracts/errors';
import type { ServiceName } from '@action-platform/contracts/services';
import { counts } from '@action-platform/telemetry';
import type { Checkpoints } from './checkpoint.ts';
import { type EncodedEvent, type Message, messagesOf } from './messages.ts';

const published = counts('changes.published');

/** How long an acknowledgement may take, in milliseconds. */
const ACKNOWLEDGED_WITHIN_MS = 3_000;
/** The pause before a message is sent again, in milliseconds. */
const RETRY_MS = 500;
/** The most Workspaces that a message to waiting readers names. */
const NAMED_AT_ONCE = 100;

/** The log of a tail. */
interface Log {
  info(message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface PublisherOptions {
  readonly service: ServiceName;
  readonly bus: Pick<Bus, 'publish' | 'subscribe' | 'streams'>;
  readonly log: Log;
}

/** Publishes events to JetStream. */
export class Publisher {
  readonly #bus: PublisherOptions['bus'];
  readonly #log: Log;
  readonly #checkpoints: Checkpoints;
  readonly #stopping: AbortSignal;
  #isFailing = false;

  /** @param checkpoints are stored while messages wait; its lease allows each of them. */
  constructor({ bus, log }: PublisherOptions, checkpoints: Checkpoints, stopping: AbortSignal) {
    this.#checkpoints = checkpoints;
    this.#stopping = stopping;
    this.#bus = bus;
    this.#log = log;
  }

  /**
   * Publishes events; resolves when JetStream has acknowledged all of them. Messages of a Workspace follow each other, each after the
   * acknowledgement of the one before, so none overtakes another; messages of different Workspaces are sent at once.
   *
   * @throws when another replica may publish, or this replica stops before an acknowledgement.
   */
  async publish(events: readonly EncodedEvent[]): Promise<void> {
    if (events.length === 0) return;
    const stored = await Promise.all(
      [...messagesOf(events)].map(async ([workspace_id, ofWorkspace]) => {
        let sequence = 0;
        for (const message of ofWorkspace) sequence = await this.#store(workspace_id, message);
        return { workspace_id, sequence };
      }),
    );
    for (let from = 0; from < stored.length; from += NAMED_AT_ONCE)
      this.#bus.publish(storedEvent, { stored: stored.slice(from, from + NAMED_AT_ONCE) });
  }

  /** Stores a message, however often it has to be sent; returns its sequence in the stream. */
  async #store(workspaceId: string, { id, body, events }: Message): Promise<number> {
    for (;;) {
      await this.#checkpoints.keep();
      try {
        const message = { workspaceId, id, body, timeoutMs: ACKNOWLEDGED_WITHIN_MS };
        const { sequence } = await this.#bus.streams.store(EVENTS, message);
        published(events);
        if (this.#isFailing) this.#log.info('JetStream takes change events again');
        this.#isFailing = false;
        return sequence;
      } catch (err) {
        if (!this.#isFailing)
          this.#log[failureLevel(err)]({ err }, 'JetStream takes no change events; they wait');
        this.#isFailing = true;
        await delay(RETRY_MS, undefined, { signal: this.#stopping });
      }
    }
  }
}
