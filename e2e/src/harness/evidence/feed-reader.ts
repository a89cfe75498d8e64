import { setTimeout as delay } from 'node:timers/promises';
import type { ChangeEvent } from '@action-platform/contracts/change-events';
import { listEvents } from '@action-platform/contracts/operations';
import { EventStreamClient } from '@action-platform/testing';
import { execute } from '@action-platform/testing/http';

/** The pause before the feed is asked again, in milliseconds. */
const RETRY_AFTER_MS = 50;

/** Follows the feed of a Workspace from its first event, and goes on from its last cursor after each failure. */
export class FeedReader {
  readonly name: string;
  /** All events that the reader got, repetitions included. */
  readonly events: ChangeEvent[] = [];
  /** How often the reader had to begin again. */
  breaks = 0;
  readonly #gateways: readonly string[];
  readonly #token: string;
  #cursor: string | undefined;
  #stream: EventStreamClient | undefined;
  #isStopping = false;
  readonly #ended: Promise<void>;

  /** @param how by pages of `events.list_events`, or by a stream of server-sent events */
  constructor(gateways: readonly string[], token: string, how: 'pages' | 'stream', number: number) {
    this.#gateways = gateways;
    this.#token = token;
    this.name = `${how} ${number}`;
    this.#ended = this.#run(how === 'pages' ? (url) => this.#readPage(url) : (url) => this.#readStream(url));
  }

  /** Resolves when no request is under way. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#stream?.close();
    await this.#ended;
  }

  async #run(read: (url: string) => Promise<void>): Promise<void> {
    const gateways = this.#gateways;
    while (!this.#isStopping) {
      try {
        await read(gateways[this.breaks % gateways.length]!);
      } catch {
        this.breaks++;
        await delay(RETRY_AFTER_MS);
      }
    }
  }

  async #readPage(url: string): Promise<void> {
    const input = { wait_seconds: 2, ...(this.#cursor !== undefined && { cursor: this.#cursor }) };
    const { code, json } = await execute(url, this.#token, listEvents.id, input);
    if (code !== 'ok') throw new Error(code);
    this.events.push(...json.result.events);
    this.#cursor = json.result.next_cursor;
  }

  async #readStream(url: string): Promise<void> {
    const headers: Record<string, string> =
      this.#cursor === undefined ? {} : { 'Last-Event-ID': this.#cursor };
    this.#stream = await EventStreamClient.open(`${url}/api/v1/events`, this.#token, headers);
    // A stop during the opening met no stream.
    if (this.#isStopping) this.#stream.close();
    for (;;) {
      const next = await this.#stream.next();
      if (next === undefined || next.name === 'error' || this.#stream.status !== 200)
        throw new Error('the stream ended');
      if (next.data !== undefined) this.events.push(next.data as never);
      this.#cursor = this.#stream.lastId;
    }
  }
}
