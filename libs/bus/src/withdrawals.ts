/*
 * RequestBatches that nobody waits for any more: the caller of the gateway has gone before the answer began.
 *
 * The gateway withdraws such a question: it sends nothing more for it, and publishes one message to the service, which every
 * replica hears. The one that works on it, if any still does, is told; to the others it means nothing, and so does a
 * withdrawal that crosses the answer. A withdrawal that is lost does no harm either: every question has its deadline.
 *
 * A withdrawn question is still answered. So the gateway knows when it can forget it, at its deadline otherwise, and cancels
 * the rest of a long answer that was on its way.
 */

/** What can be told that its requester wants no answer any more. */
export interface Withdrawable {
  withdraw(): void;
}

/** The requests that a replica works on, by the subject on which their answer is wanted. */
export class Withdrawals {
  readonly #requests = new Map<string, Withdrawable>();

  add(replyTo: string, request: Withdrawable): void {
    this.#requests.set(replyTo, request);
  }

  delete(replyTo: string): void {
    this.#requests.delete(replyTo);
  }

  /** Whether a request is worked on whose answer is wanted there. */
  has(replyTo: string): boolean {
    return this.#requests.has(replyTo);
  }

  /** Where the answers are wanted. */
  replies(): Iterable<string> {
    return this.#requests.keys();
  }

  /** Nobody waits any more for the answers that are wanted on these subjects (`withdrawnEvent`). */
  withdraw(replies: readonly string[]): void {
    for (const replyTo of replies) this.#requests.get(replyTo)?.withdraw();
  }
}
