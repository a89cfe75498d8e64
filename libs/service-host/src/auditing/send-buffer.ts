import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { failureLevel } from '@action-platform/contracts/errors';
import { counts, gauge } from '@action-platform/telemetry';
import { failureLines } from '../logging/failure-lines.ts';
import type { Logger } from '../logging/logger.ts';

/** The length of a message, in characters, which are ASCII nearly always. */
const MESSAGE_LENGTH = 60 * 1024;
/** The most bytes that wait for the acknowledgement of JetStream. */
const HELD_BYTES = 16 * 1024 * 1024;
/** The pause before a message without an acknowledgement is sent again, in milliseconds. */
const RETRY_MS = 500;
/** How long a stop waits for acknowledgements, in milliseconds. */
const STOP_MS = 3_000;

const lost = counts('audit.entries.lost');
const losses = failureLines();

const encoder = new TextEncoder();

interface Message {
  readonly id: string;
  readonly body: Uint8Array;
  readonly entries: number;
}

/** Stores a message in the stream; rejects without its acknowledgement. */
export type StoreMessage = (id: string, body: Uint8Array) => Promise<unknown>;

/**
 * Sends entries to the audit log in messages, each again until JetStream has acknowledged it. `SendBuffer` counts and reports the entries
 * that it cannot hold.
 */
export class SendBuffer {
  readonly #process = randomUUID();
  readonly #store: StoreMessage;
  readonly #log: Logger;
  readonly #messages: Message[] = [];
  #bytes = 0;
  #sent = 0;
  #sending: Promise<void> | undefined;
  #hasStored = false;
  /** Whether the last attempt failed; the log has a line when that begins and one when it ends. */
  #isDelayed = false;
  #stoppedAt: number | undefined;
  /** The lost entries that no line of the log names yet. */
  #unreported = 0;

  constructor(store: StoreMessage, log: Logger) {
    this.#store = store;
    this.#log = log;
    gauge('audit.buffer.size', () => this.#bytes);
  }

  /** Takes entries to send, as JSON. */
  add(entries: readonly string[]): void {
    let texts: string[] = [];
    let length = 0;
    for (const text of entries) {
      if (length + text.length > MESSAGE_LENGTH) {
        this.#setAside(texts);
        texts = [];
        length = 0;
      }
      texts.push(text);
      length += text.length;
    }
    if (texts.length > 0) this.#setAside(texts);
    if (this.#messages.length > 0) this.#sending ??= this.#send();
  }

  /** Sends what it holds, as long as a stop may take; reports the rest as lost. */
  async stop(): Promise<void> {
    this.#stoppedAt = performance.now();
    while (this.#sending !== undefined) await this.#sending;
    const entries = this.#messages.splice(0).reduce((sum, message) => sum + message.entries, 0);
    if (entries > 0) this.#lose(entries);
    this.#report();
  }

  #setAside(texts: readonly string[]): void {
    const id = `${this.#process}-${this.#sent++}`;
    // Not from the pool of Node.js, of which it would keep 64 KiB in memory.
    const body = encoder.encode(`{"id":"${id}","entries":[${texts.join(',')}]}`);
    if (this.#bytes + body.length > HELD_BYTES) {
      this.#lose(texts.length);
      return;
    }
    this.#bytes += body.length;
    this.#messages.push({ id, body, entries: texts.length });
  }

  async #send(): Promise<void> {
    for (let message = this.#messages[0]; message !== undefined; message = this.#messages[0]) {
      try {
        await this.#store(message.id, message.body);
      } catch (error) {
        if (this.#hasGivenUp()) break;
        if (!this.#isDelayed)
          this.#log[failureLevel(error)]({ err: error }, 'the audit log takes no entries');
        this.#isDelayed = true;
        await delay(RETRY_MS);
        continue;
      }
      if (this.#isDelayed) this.#log.info('the audit log takes entries again');
      this.#isDelayed = false;
      this.#hasStored = true;
      this.#messages.shift();
      this.#bytes -= message.body.length;
    }
    // In the same tick as the last look for a message: entries that arrive later begin anew.
    this.#sending = undefined;
  }

  /** Whether `SendBuffer` was stopped, and has tried long enough. Where nothing was ever stored, there may be no audit log. */
  #hasGivenUp(): boolean {
    if (this.#stoppedAt === undefined) return false;
    return performance.now() >= this.#stoppedAt + (this.#hasStored ? STOP_MS : 0);
  }

  #lose(entries: number): void {
    lost(entries);
    this.#unreported += entries;
    if (losses.take()) this.#report();
  }

  #report(): void {
    const entries = this.#unreported;
    this.#unreported = 0;
    if (entries > 0) this.#log.error({ entries }, 'entries of the audit log are lost');
  }
}
