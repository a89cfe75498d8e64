import type { Msg, MsgHdrs, NatsConnection } from '@nats-io/transport-node';
import { busHeaders, toMessageHeaders } from '../headers.ts';
import type { Inbox } from '../inbox.ts';
import { WaitingLine } from './waiting-line.ts';

/** How many bytes of a long answer go into one message, about. */
export const PIECE_BYTES = 256 * 1024;

/** How long the sender of a long answer waits for the receiver to ask for more. */
const IDLE_LIMIT_MS = 30_000;

/**
 * Sends a long answer piece by piece. Every piece answers one message: the first one the request, each
 * further one a demand of the receiver. So the sender is never far ahead of the receiver, holds two pieces at
 * most, and needs no permission on the bus beyond answering what it is asked.
 *
 * Resolves when the last piece is sent, the receiver cancels, falls silent, or the connection breaks. Rejects
 * with the error of `pieces`, after telling the receiver that no more will come.
 */
export async function sendPieces(
  nc: NatsConnection,
  inbox: Inbox,
  request: Msg,
  headers: MsgHdrs,
  pieces: AsyncIterator<Uint8Array>,
): Promise<void> {
  const demands = new Demands();
  const { subject, close } = inbox.open(demands);
  let replyTo = request.reply!;
  try {
    let piece = await pieces.next();
    for (let position = 0; ; position++) {
      const following = piece.done ? piece : await pieces.next();
      const messageHeaders = position === 0 ? headers : toMessageHeaders({});
      messageHeaders.set(busHeaders.piece, String(position));
      if (!following.done) messageHeaders.set(busHeaders.more, 'true');
      nc.publish(replyTo, piece.done ? new Uint8Array() : piece.value, {
        headers: messageHeaders,
        ...(following.done ? {} : { reply: subject }),
      });
      if (following.done) return;
      const demand = await demands.next();
      if (demand === undefined) return;
      replyTo = demand;
      piece = following;
    }
  } catch (error) {
    nc.publish(replyTo);
    throw error;
  } finally {
    close();
    await pieces.return?.();
  }
}

/** The demands of a receiver that were not answered yet: the subjects to send the next pieces to. */
class Demands {
  readonly #waiting = new WaitingLine<string>();

  receive(message: Msg): void {
    if (message.headers?.has(busHeaders.cancel)) this.lost();
    else if (message.reply !== undefined) this.#waiting.add(message.reply);
  }

  lost(): void {
    this.#waiting.clear();
    this.#waiting.close();
  }

  /** The subject to send the next piece to; undefined when there is no more demand. */
  next(): Promise<string | undefined> {
    return this.#waiting.next(IDLE_LIMIT_MS);
  }
}
