/*
 * Cancellation: the caller of the gateway left before the answer began.
 *
 * The gateway sends nothing more for the request and publishes one message to the service, which every replica hears. The replica
 * that works on the request cancels it; the others ignore the message, also when it crosses the answer. A lost cancellation does no
 * harm, because every request has its deadline.
 *
 * A cancelled request is still answered. By the answer the gateway knows that it can forget the request, and cancels the rest of a long
 * answer; otherwise it forgets the request at its deadline.
 */

/** Work that can be cancelled. */
export interface Cancellable {
  cancel(): void;
}

/** The requests that a replica works on, by reply subject. */
export class Cancellations {
  readonly #requests = new Map<string, Cancellable>();

  add(replyTo: string, request: Cancellable): void {
    this.#requests.set(replyTo, request);
  }

  delete(replyTo: string): void {
    this.#requests.delete(replyTo);
  }

  /** Whether the replica works on a request. */
  has(replyTo: string): boolean {
    return this.#requests.has(replyTo);
  }

  /** The reply subjects of all requests. */
  replies(): Iterable<string> {
    return this.#requests.keys();
  }

  /** Cancels requests (`cancelledEvent`). */
  cancel(replies: readonly string[]): void {
    for (const replyTo of replies) this.#requests.get(replyTo)?.cancel();
  }
}
