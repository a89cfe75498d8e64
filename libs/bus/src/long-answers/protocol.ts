/*
 * Long answers: how an answer that does not fit one message is sent.
 *
 * Its sender is the service that was called, its receiver the caller. The rules of both:
 *
 * 1. The sender answers the request with chunk 0: status, headers and the first bytes. The header `more` announces another
 *    chunk. The reply subject C, in the sender's inbox, takes the receiver's credits.
 * 2. A credit is an empty message that permits one chunk. Its reply subject, in the receiver's inbox, is the chunk's subject.
 *    The receiver sends a window of credits ahead, to C, and one more for every chunk that its consumer has taken: for chunk n
 *    to `C.n`. No two credits have the same reply subject.
 * 3. The sender answers each credit with one chunk, in order. Every chunk has its position, so a missing one is detected. The chunk without
 *    `more` is the last. Credits beyond it stay unanswered.
 * 4. A receiver cancels by a message with the header `cancel` instead of a credit. A sender whose source fails, or whose chunk
 *    cannot be published, answers the open credit (or the request) with an empty message without headers: the answer has
 *    failed. Nothing is sent twice.
 *
 * Bounded memory. A chunk is sent only against a credit, and a credit follows only a consumed chunk. So at most a window of
 * chunks is between source and consumer, and two more at the sender, which reads one ahead to know whether another follows. A
 * slow consumer slows down its own source and no other answer. The window is one chunk, which every request may have in
 * flight; a larger one takes its bytes from the receiver's byte budget (`ByteCredit`), and stays at one chunk while that is
 * used up. So what is on its way to a process is at most its requests in flight times `CHUNK_BYTES`, plus its byte budget: well
 * below what the NATS server holds for a connection (`MAX_PENDING_BYTES` in `server/server-config.ts`). A receiver treats a sender of
 * unpermitted chunks as failed.
 *
 * Failures. If the sender dies, its inbox has no subscriber: the NATS server answers the next credit with "no responders", and
 * the receiver fails. Without a credit due the receiver fails by the liveness probe (`replicas/failover.ts`). If the sender hangs, the
 * receiver fails after CHUNK_TIMEOUT_MS. If the receiver dies, credits stop: the sender gives up after the same time and releases its
 * source. If the connection of either breaks, that side gives up at once. The gateway cancels when its caller disconnects, or does not read
 * for ANSWER_STALL_MS. A consumer sees an incomplete answer as a failure, never as a shorter one.
 *
 * Permissions. No user may publish to another user's inbox, but a message with a reply subject permits a few messages to that
 * subject (`allow_responses`). Chunk 0 permits the receiver a window of credits and a cancel; nothing needs more. A repeated
 * reply subject does not renew a permission, the NATS server counts it as a use: so every message has a reply subject of its
 * own. A permission lasts as long as the slowest exchange: a window of chunks, each at the last moment.
 *
 * Trust. A permission to answer holds for any reply subject that a message names, such as that of an operator's call or of
 * another caller's request. So both sides accept a reply subject only in the inbox of the expected user: one who may call the
 * subject, the service that serves it, or the connection that sent the request.
 */
import { busHeaders } from '@action-platform/contracts/bus';
import type { Connection } from '../nats/connection.ts';
import { toMessageHeaders } from '../nats/headers.ts';
import { MAX_BATCH_ITEMS } from '../wire/batch.ts';
import { CHUNK_BYTES } from '../wire/chunks.ts';
import type { ReplyTo } from '../wire/reply-to.ts';

/** How many chunks may be on their way to a receiver whose byte budget has room for them. */
export const WINDOW = 4;

/** The bytes of a full window beyond the one chunk that every request may have in flight. */
export const WINDOW_CREDIT_BYTES = (WINDOW - 1) * CHUNK_BYTES;

/** The byte budget of a receiver, as far as a request may take from it. */
export interface ByteCredit {
  /** Takes bytes; false when the budget does not have them. */
  take(bytes: number): boolean;
  giveBack(bytes: number): void;
}

/** How long either side waits for the other's next message, in milliseconds. */
export const CHUNK_TIMEOUT_MS = 30_000;

/** The replies that a request permits: a window of messages and a cancel, or an answer to each request of a batch, for as long as that can take. */
export const permittedResponses = {
  max: Math.max(WINDOW + 1, MAX_BATCH_ITEMS),
  expires: `${(WINDOW * CHUNK_TIMEOUT_MS) / 1000}s`,
};

/** Cancels the rest of a long answer. */
export function publishCancel(connection: Connection, credits: ReplyTo): void {
  connection.publish(credits, undefined, { headers: toMessageHeaders({ [busHeaders.cancel]: 'true' }) });
}
