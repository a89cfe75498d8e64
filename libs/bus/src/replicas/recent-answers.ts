/*
 * Redelivery: answers that did not arrive.
 *
 * A replica may publish an answer because it received the request, on the connection that received it. A NATS server that reloads its
 * configuration drops the permissions to answer, and a server that a replica connects to after its own died never had them. The NATS server
 * refuses the answer, although the work is done, and the caller would wait for its deadline. So:
 *
 * 1. A replica keeps its latest answers. When an answer is refused, the replica announces that to the callers of its service. When its
 *    connection works again, the replica announces all requests in progress and its latest answers (`replicaEvent`).
 * 2. A caller that still waits for one sends the reply subject to the replica's own subject. The message is a request like any other, so it
 *    permits an answer.
 * 3. The replica answers at once, or when it has the answer. Nothing is done twice.
 *
 * A long answer is not kept; its redelivery is a failed answer. The redelivery of an unknown answer is a failed answer, too.
 */

import type { WholeAnswer } from '../wire/whole-answer.ts';

/** The most bytes of answers kept, and the most answers kept or announced. */
const KEPT_BYTES = 1024 * 1024;
const MOST_ANSWERS = 256;

/** How long an answer is kept, in milliseconds: no caller waits longer, and it may hold a secret. */
const KEPT_MS = 15_000;

interface KeptAnswer {
  readonly answer: WholeAnswer;
  readonly until: number;
}

/** The latest answers of a replica, by the subject to which each was sent. */
export class RecentAnswers {
  /** The oldest first. */
  readonly #kept = new Map<string, KeptAnswer>();
  #expiry: NodeJS.Timeout | undefined;
  #bytes = 0;

  /** Keeps an answer that was sent to a subject. */
  keep(subject: string, answer: WholeAnswer): void {
    this.#drop(subject);
    this.#kept.set(subject, { answer, until: performance.now() + KEPT_MS });
    this.#bytes += answer.body.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= KEPT_BYTES && this.#kept.size <= MOST_ANSWERS) break;
      this.#drop(oldest);
    }
    this.#expiry ??= setTimeout(() => this.#dropExpired(), KEPT_MS).unref();
  }

  /** The answer that was sent to a subject; undefined when it is not kept. */
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

  /** The reply subjects to announce, as many as fit a message. @param underWay those of requests without an answer */
  subjects(underWay: Iterable<string> = []): string[] {
    return [...underWay, ...[...this.#kept.keys()].toReversed()].slice(0, MOST_ANSWERS);
  }
}
