import { type Connection, isBeside } from '../connection.ts';
import { type Headers, toMessageHeaders } from '../headers.ts';
import type { Incoming } from '../incoming.ts';
import {
  BATCHABLE_BYTES,
  type BatchItem,
  batchHeaders,
  decodeBatch,
  encodeBatch,
  inBatches,
  isBatch,
  toBatchItem,
} from './batch.ts';

/** An answer in one message. */
export interface WholeAnswer {
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** The answer of a request that failed: it has no status. */
export const FAILED: WholeAnswer = { headers: {}, body: new Uint8Array() };

/** Divides batches into requests, and sends answers; answers to one batch, given in the same tick, leave together (`batch.ts`). */
export class Answers {
  readonly #connection: Connection;
  /** The reply subject of a request's batch, by the request's own. */
  readonly #batches = new Map<string, string>();
  /** The answers that leave at the end of the tick, by the reply subject of their batch. */
  #waiting = new Map<string, BatchItem[]>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The requests in a message, as if each had arrived alone; none when the message cannot be decoded. */
  requestsIn(message: Incoming): Incoming[] {
    if (!isBatch(message)) return [message];
    const { subject, reply: batch = '' } = message;
    const requests = decodeBatch(message)?.filter((each) => isBeside(each.subject, batch));
    if (requests === undefined) this.#connection.publish(batch);
    return (requests ?? []).map(({ subject: reply, headers, data }) => {
      this.#batches.set(reply, batch);
      return { subject, reply, headers, data };
    });
  }

  /**
   * Sends an answer, at the end of the tick when it may go with others. Throws when it is too large.
   *
   * @param credits of one that is long: the subject that takes credits for the rest of it.
   */
  send(replyTo: string, { headers, body }: WholeAnswer, credits?: string): void {
    const more = credits === undefined ? {} : { reply: credits };
    const batch = this.#batches.get(replyTo);
    if (batch === undefined) {
      this.#connection.publish(replyTo, body, { headers: toMessageHeaders(headers), ...more });
      return;
    }
    const toItem = toBatchItem(replyTo, headers, body);
    if (credits !== undefined || body.length > BATCHABLE_BYTES) {
      this.#connection.publish(batch, encodeBatch([toItem]), { headers: batchHeaders, ...more });
      return;
    }
    if (this.#waiting.size === 0) setImmediate(() => this.flush());
    const others = this.#waiting.get(batch);
    if (others === undefined) this.#waiting.set(batch, [toItem]);
    else others.push(toItem);
  }

  /** Forgets a request that was answered. */
  forget(replyTo: string): void {
    this.#batches.delete(replyTo);
  }

  /** Sends the waiting answers now. While the connection is broken they are left to redelivery. */
  flush(): void {
    const all = this.#waiting;
    this.#waiting = new Map();
    for (const [batch, answers] of all) {
      for (const together of inBatches(answers)) {
        this.#connection.publish(batch, encodeBatch(together), { headers: batchHeaders });
      }
    }
  }
}
