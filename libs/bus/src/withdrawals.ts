import { serviceOfSubject, withdrawnEvent } from '@action-platform/contracts';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { parsed } from './parsed.ts';

/*
 * Questions that nobody waits for any more: the caller of the gateway has gone before the answer began.
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

/** Tells the service that serves a subject that nobody waits for an answer on these subjects. */
export function publishWithdrawal(nc: NatsConnection, subject: string, replies: readonly string[]): void {
  const service = serviceOfSubject(subject);
  if (service !== undefined) nc.publish(withdrawnEvent(service).subject, JSON.stringify({ replies }));
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

  /** Takes a message of `withdrawnEvent`; only the gateway can have sent it. */
  hear(message: Msg): void {
    const withdrawn = parsed(message.data) as { replies?: string[] } | undefined;
    for (const replyTo of withdrawn?.replies ?? []) this.#requests.get(replyTo)?.withdraw();
  }
}
