/*
 * Long answers: how an answer that does not fit one message travels.
 *
 * An answer of more than one chunk is sent by its sender (the service that was asked) and taken by its
 * receiver (whoever asked). The bus only knows messages, so both keep to the following.
 *
 * 1. The sender answers the request with chunk 0: status, headers and the first bytes. The header `more` says
 *    that there is another chunk. The reply subject D, in the sender's inbox, is where demands go.
 * 2. A demand is an empty message. Its reply subject, in the receiver's inbox, is where the next chunk goes. The
 *    receiver sends WINDOW demands ahead, to D, and one more for every chunk that its consumer has taken: for
 *    chunk n to `D.n`. No two demands have the same reply subject.
 * 3. Each demand is answered by one chunk, in order. Every chunk carries its position, so that a lost one is
 *    noticed. The chunk without `more` is the last. What is demanded after it is not answered.
 * 4. A receiver that wants no more sends a message with the header `cancel` instead of a demand. A sender whose
 *    source fails, or whose chunk cannot be published, answers the open demand (or the request) with an empty
 *    message without headers: the answer has failed. Nothing is ever sent twice.
 *
 * Why no hop holds more than a window. A chunk is sent only against a demand, and a demand only follows when a
 * chunk was consumed. So between source and consumer there are never more than WINDOW chunks, and two more at
 * the sender, which reads one ahead to know whether there is another. A receiver that is sent more than it asked
 * for treats the sender as failed. So a slow consumer slows down its own source, and no one else's answer.
 *
 * What a death leaves. If the sender dies, its inbox is gone: the NATS server answers the next demand with "no responders", and the
 * receiver fails. It fails as well when no demand is due, as it looks whether its sender is still there (`replicas/replicas.ts`). If the
 * sender hangs, the receiver fails after CHUNK_TIMEOUT_MS. If the receiver dies, demands stop: the sender gives up after the same time and
 * releases its source. If the connection of either breaks, that side gives up at once. The gateway cancels when its caller has left, or
 * does not read for ANSWER_STALL_MS; longer than CHUNK_TIMEOUT_MS no sender waits for either. A consumer always sees an answer that is not
 * whole as a failure, never as a shorter answer.
 *
 * Which permissions it takes. None beyond answering: nobody may publish to another user's inbox, except that a
 * message with a reply subject permits a few messages to that subject (`allow_responses`). Chunk 0 permits the
 * receiver a window of demands and a cancel; nothing needs more. The NATS server does not renew a permission when
 * the same reply subject comes again, it counts that as a use, which is why every message names a subject of
 * its own. A permission lasts as long as the slowest exchange: a window of chunks, each at the last moment.
 *
 * Whom to trust. A permission to answer holds for whatever reply subject a message names, such as the subject
 * of an operator's call, or one on which somebody else waits for an answer. So a reply subject is believed only
 * when it lies in the inbox of the one expected. That is somebody who may ask on the subject, the service that
 * serves it, or the connection that made the request.
 */
import { busHeaders } from '@action-platform/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import { toMessageHeaders } from '../headers.ts';
import type { Inbox } from '../inbox.ts';
import { MOST_IN_A_PACK } from '../packs/pack.ts';

/** How many bytes of a long answer go into one message, about. */
export const CHUNK_BYTES = 256 * 1024;

/** How many chunks may be on their way to the receiver, so that it need not wait for each in turn. */
export const WINDOW = 4;

/** How long either side waits for the other's next message. */
export const CHUNK_TIMEOUT_MS = 30_000;

/**
 * What a message that asks for an answer permits: a window of messages and a cancel, or an answer to each question of a pack,
 * for as long as it can take.
 */
export const permittedResponses = {
  max: Math.max(WINDOW + 1, MOST_IN_A_PACK),
  expires: `${(WINDOW * CHUNK_TIMEOUT_MS) / 1000}s`,
};

/*
 * While the connection is broken neither of these is sent: the client would keep it for the next connection, which
 * has no permission to answer what came over this one.
 */

/** Tells the sender of a long answer that no more of it is wanted. */
export function publishCancel(nc: NatsConnection, inbox: Inbox, demands: string): void {
  if (!inbox.connected) return;
  nc.publish(demands, undefined, { headers: toMessageHeaders({ [busHeaders.cancel]: 'true' }) });
}

/** Tells a requester or receiver that its answer has failed. */
export function publishFailure(nc: NatsConnection, inbox: Inbox, replyTo: string): void {
  if (inbox.connected) nc.publish(replyTo);
}
