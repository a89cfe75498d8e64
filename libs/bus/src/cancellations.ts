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

/** Cancels those of the requests in progress that have these reply subjects (`cancelledEvent`). */
export function cancelRequests(
  inProgress: ReadonlyMap<string, AbortController>,
  replies: readonly string[],
): void {
  for (const replyTo of replies) inProgress.get(replyTo)?.abort();
}
