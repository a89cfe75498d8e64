import type { Logger } from '../logging/logger.ts';
import { EqualCalls, type MakeEntry } from './equal-calls.ts';
import { SendBuffer, type StoreMessage } from './send-buffer.ts';

/** How long entries are collected for a message, in milliseconds, and how many at most. */
const COLLECT_MS = 200;
const COLLECT_ENTRIES = 200;

/** How many equal refusals of a caller in a window have an entry each. */
const REFUSALS_ALONE = 60;

interface TrailOptions {
  readonly store: StoreMessage;
  readonly log: Logger;
  /** Whether each read has an entry. */
  readonly readsEach: boolean;
  /** How long equal calls share an entry, in milliseconds. */
  readonly windowMs: number;
}

/**
 * The entries that this process makes for the audit log. An entry waits for its message as one text: everything else that a call leaves
 * could not be collected as garbage before.
 */
export class AuditTrail {
  readonly #buffer: SendBuffer;
  readonly #reads: EqualCalls;
  readonly #refusals = new EqualCalls(REFUSALS_ALONE);
  readonly #windowMs: number;
  #collected: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #window: NodeJS.Timeout | undefined;

  constructor({ store, log, readsEach, windowMs }: TrailOptions) {
    this.#buffer = new SendBuffer(store, log);
    this.#reads = new EqualCalls(readsEach ? Number.POSITIVE_INFINITY : 0);
    this.#windowMs = windowMs;
  }

  /** A call that may have written. */
  wrote(make: MakeEntry): void {
    const entry = make();
    if (entry === undefined) return;
    this.#collected.push(JSON.stringify(entry));
    if (this.#collected.length >= COLLECT_ENTRIES) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), COLLECT_MS).unref();
  }

  /** A read of a caller; its reads with the same name share an entry. */
  read(caller: string, name: string, make: MakeEntry): void {
    this.#count(this.#reads, caller, name, make);
  }

  /** A refusal of a caller; beyond the first ones, equal refusals share an entry. */
  refused(caller: string, name: string, code: string, make: MakeEntry): void {
    this.#count(this.#refusals, caller, `${name} ${code}`, make);
  }

  /** Sends all entries. */
  async stop(): Promise<void> {
    this.#endWindow();
    await this.#buffer.stop();
  }

  #count(calls: EqualCalls, caller: string, kind: string, make: MakeEntry): void {
    if (calls.isFull) this.#endWindow();
    this.#window ??= setTimeout(() => this.#endWindow(), this.#windowMs).unref();
    if (calls.count(caller, kind, make)) this.wrote(make);
  }

  #endWindow(): void {
    clearTimeout(this.#window);
    this.#window = undefined;
    this.#flush();
    this.#send([...this.#reads.end(), ...this.#refusals.end()].map((entry) => JSON.stringify(entry)));
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const collected = this.#collected;
    this.#collected = [];
    this.#send(collected);
  }

  #send(entries: readonly string[]): void {
    if (entries.length > 0) this.#buffer.add(entries);
  }
}
