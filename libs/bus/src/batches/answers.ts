import type { NatsConnection } from '@nats-io/transport-node';
import { type Headers, toMessageHeaders } from '../headers.ts';
import { type Inbox, isBeside } from '../inbox.ts';
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

/** Divides batches into requests, and sends answers; answers to one batch, given in the same turn, leave together (`batch.ts`). */
export class Answers {
  readonly #nc: NatsConnection;
  readonly #inbox: Inbox;
  /** The reply subject of a request's batch, by the request's own. */
  readonly #batches = new Map<string, string>();
  /** The answers that leave at the end of the turn, by the reply subject of their batch. */
  readonly #waiting = new Map<string, BatchItem[]>();

  constructor(nc: NatsConnection, inbox: Inbox) {
    this.#nc = nc;
    this.#inbox = inbox;
  }

  /** The requests in a message, as if each had arrived alone; none when the message cannot be decoded. */
  requestsIn(message: Incoming): Incoming[] {
    if (!isBatch(message)) return [message];
    const { subject, reply: batch = '' } = message;
    const requests = decodeBatch(message)?.filter((each) => isBeside(each.subject, batch));
    if (requests === undefined) this.#nc.publish(batch);
    return (requests ?? []).map(({ subject: reply, headers, data }) => {
      this.#batches.set(reply, batch);
      return { subject, reply, headers, data };
    });
  }

  /**
   * Sends an answer, at the end of the turn when it may go with others. Throws when it cannot be published.
   *
   * @param demands of one that is long: where demands for the rest of it go.
   */
  send(replyTo: string, { headers, body }: WholeAnswer, demands?: string): void {
    const more = demands === undefined ? {} : { reply: demands };
    const batch = this.#batches.get(replyTo);
    if (batch === undefined) {
      this.#nc.publish(replyTo, body, { headers: toMessageHeaders(headers), ...more });
      return;
    }
    const toItem = toBatchItem(replyTo, headers, body);
    if (demands !== undefined || body.length > BATCHABLE_BYTES) {
      this.#nc.publish(batch, encodeBatch([toItem]), { headers: batchHeaders, ...more });
      return;
    }
    if (this.#waiting.size === 0) setImmediate(() => this.flush());
    const others = this.#waiting.get(batch);
    if (others === undefined) this.#waiting.set(batch, [toItem]);
    else others.push(toItem);
  }

  /** Sends a failed answer. Does nothing while the connection is broken: the next connection has no permission to answer. */
  fail(replyTo: string): void {
    if (this.#inbox.connected) this.send(replyTo, FAILED);
  }

  /** Forgets a request that was answered. */
  forget(replyTo: string): void {
    this.#batches.delete(replyTo);
  }

  /** Sends the waiting answers now. While the connection is broken they are left to redelivery. */
  flush(): void {
    const all = [...this.#waiting];
    this.#waiting.clear();
    if (!this.#inbox.connected) return;
    for (const [batch, answers] of all) {
      for (const together of inBatches(answers)) {
        this.#nc.publish(batch, encodeBatch(together), { headers: batchHeaders });
      }
    }
  }
}
