/*
 * Answers that did not arrive.
 *
 * A replica may answer because of the question that it took, over the connection that it took it from. A NATS server that reads its configuration
 * again forgets which answers are awaited, and one to which a replica turns after its own has ended never knew. What the replica
 * answers then is refused, although it has done what it was asked, and who asked would wait for the deadline. So:
 *
 * 1. A replica keeps what it has answered lately. When an answer is refused, it tells all who may ask its service which one it owes; when its
 *    connection is there again, it owes all that are under way and the latest ones (`replicaEvent`).
 * 2. Whoever still waits for one of them sends the replica, on the subject that is its own, where the answer was wanted; that is a
 *    question like any other, so it permits an answer.
 * 3. The replica answers there: at once, or when it has the answer. Nothing is done twice.
 *
 * A long answer is not kept: whoever asks for it is told that it has failed. So is whoever asks for one that has.
 */

import type { WholeAnswer } from '../batches/answers.ts';
import type { Incoming } from '../incoming.ts';
import { parsed } from '../parsed.ts';

/** How much of what was answered is kept at most, in bytes, and how many answers a replica says that it owes. */
const KEPT_BYTES = 1024 * 1024;
const MOST_OWED = 256;

/** How long an answer is kept, in milliseconds: no caller waits longer, and it may hold a secret. */
const KEPT_MS = 15_000;

interface Kept {
  readonly answer: WholeAnswer;
  readonly until: number;
}

/** What a replica has answered lately, and where answers are wanted now. */
export class Undelivered {
  /** The oldest first. */
  readonly #kept = new Map<string, Kept>();
  #expiry: NodeJS.Timeout | undefined;
  readonly #wantedAt = new Map<string, string>();
  #bytes = 0;

  /** Where an answer goes that was wanted at `replyTo`. */
  subjectFor(replyTo: string): string {
    return this.#wantedAt.get(replyTo) ?? replyTo;
  }

  /** An answer went to a subject. */
  keep(subject: string, answer: WholeAnswer): void {
    this.#drop(subject);
    this.#kept.set(subject, { answer, until: performance.now() + KEPT_MS });
    this.#bytes += answer.body.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= KEPT_BYTES && this.#kept.size <= MOST_OWED) break;
      this.#drop(oldest);
    }
    this.#expiry ??= setTimeout(() => this.#dropExpired(), KEPT_MS).unref();
  }

  /** The answer that went to a subject, if it is still known. */
  get(subject: string): WholeAnswer | undefined {
    return this.#kept.get(subject)?.answer;
  }

  #drop(subject: string): void {
    this.#bytes -= this.#kept.get(subject)?.answer.body.length ?? 0;
    this.#kept.delete(subject);
  }

  #dropExpired(): void {
    this.#expiry = undefined;
    const now = performance.now();
    for (const [subject, { until }] of this.#kept) {
      if (until > now) {
        this.#expiry = setTimeout(() => this.#dropExpired(), until - now).unref();
        return;
      }
      this.#drop(subject);
    }
  }

  /** The answer that was wanted at `replyTo`, and is not there yet, goes to another subject. */
  redirect(replyTo: string, subject: string): void {
    this.#wantedAt.set(replyTo, subject);
  }

  /** A question is answered. */
  forget(replyTo: string): void {
    this.#wantedAt.delete(replyTo);
  }

  /** The latest ones, as far as one message tells of them. @param underWay where answers are wanted that are not there yet */
  owed(underWay: Iterable<string>): string[] {
    return [...underWay, ...[...this.#kept.keys()].toReversed()].slice(0, MOST_OWED);
  }
}

/** The message by which a replica is asked for an answer that it owes. */
export function demandFor(replyTo: string): string {
  return JSON.stringify({ owed: replyTo });
}

/** The answer that a message asks for; undefined when it asks for none. */
export function demanded({ data }: Pick<Incoming, 'data'>): string | undefined {
  const owed = data.length > 0 ? (parsed(data) as { owed?: unknown } | undefined)?.owed : undefined;
  return typeof owed === 'string' ? owed : undefined;
}
