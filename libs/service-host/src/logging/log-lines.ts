import type { DestinationStream } from 'pino';
import { RecentLines } from './recent-lines.ts';

/** The message of every call's line. */
export const ANSWERED = 'answered';

const METADATA: unique symbol = Symbol.for('pino.metadata');

/** How long the line of a call waits for others, in milliseconds, and the length at which waiting lines are written. */
const WAITS_MS = 50;
const WAITING_LENGTH = 4_096;

/** Characters that a terminal obeys or hides: control and format characters (C1, bidirectional), line separators. */
const UNSEEN = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Writes the lines of a log, in order. Lines of calls are written together: one by one, each would cost 30 µs. Any other
 * line is written at once, behind the lines that wait. Control and format characters in values, which callers and their
 * identity providers choose, are written as JSON escapes.
 */
export class LogLines implements DestinationStream {
  /** Has pino set `lastMsg` before it writes a line. */
  readonly [METADATA] = true;
  lastMsg: string | undefined;
  readonly #destination: DestinationStream;
  readonly recent = new RecentLines();
  #waiting = '';
  #timer: NodeJS.Timeout | undefined;

  /** @param destination takes many lines as one text. */
  constructor(destination: DestinationStream) {
    this.#destination = destination;
  }

  write(line: string): void {
    this.#waiting += line;
    this.recent.add(line);
    if (this.lastMsg !== ANSWERED || this.#waiting.length >= WAITING_LENGTH) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), WAITS_MS).unref();
  }

  /** Writes the lines that wait. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lines = this.#waiting;
    this.#waiting = '';
    if (lines !== '') this.#destination.write(lines.replace(UNSEEN, jsonEscape));
  }
}

function jsonEscape(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
