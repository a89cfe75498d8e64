import type { NatsConnection } from '@nats-io/transport-node';
import { type Headers, toMessageHeaders } from '../headers.ts';
import { type Inbox, isBeside } from '../inbox.ts';
import type { Incoming } from '../incoming.ts';
import {
  inPacks,
  isPack,
  PACKABLE_BYTES,
  type Packed,
  packHeaders,
  packOf,
  toPacked,
  unpacked,
} from './pack.ts';

/** An answer in one message. */
export interface WholeAnswer {
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** Says that an answer is not to be had: one without a status has failed. */
export const FAILED: WholeAnswer = { headers: {}, body: new Uint8Array() };

/** Takes packs apart, and sends answers: those to questions of one pack, given in the same turn, together (`pack.ts`). */
export class Answers {
  readonly #nc: NatsConnection;
  readonly #inbox: Inbox;
  /** Where the answers to a question's pack go, by the subject on which its own is wanted. */
  readonly #packs = new Map<string, string>();
  /** What leaves at the end of the turn, by where it goes. */
  readonly #waiting = new Map<string, Packed[]>();

  constructor(nc: NatsConnection, inbox: Inbox) {
    this.#nc = nc;
    this.#inbox = inbox;
  }

  /** The questions that a message asks: those in a pack, as if each had come by itself. None when it cannot be read. */
  questionsIn(message: Incoming): Incoming[] {
    if (!isPack(message)) return [message];
    const { subject, reply: pack = '' } = message;
    const questions = unpacked(message)?.filter((each) => isBeside(each.subject, pack));
    if (questions === undefined) this.#nc.publish(pack);
    return (questions ?? []).map(({ subject: reply, headers, data }) => {
      this.#packs.set(reply, pack);
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
    const pack = this.#packs.get(replyTo);
    if (pack === undefined) {
      this.#nc.publish(replyTo, body, { headers: toMessageHeaders(headers), ...more });
      return;
    }
    const packed = toPacked(replyTo, headers, body);
    if (demands !== undefined || body.length > PACKABLE_BYTES) {
      this.#nc.publish(pack, packOf([packed]), { headers: packHeaders, ...more });
      return;
    }
    if (this.#waiting.size === 0) setImmediate(() => this.flush());
    const others = this.#waiting.get(pack);
    if (others === undefined) this.#waiting.set(pack, [packed]);
    else others.push(packed);
  }

  /** Tells who asked that the answer has failed. While the connection is broken nobody is told: the next one has no permission to. */
  fail(replyTo: string): void {
    if (this.#inbox.connected) this.send(replyTo, FAILED);
  }

  /** A question is answered. */
  forget(replyTo: string): void {
    this.#packs.delete(replyTo);
  }

  /** Sends now what waits for the end of the turn. What cannot be sent, because the connection is broken, is owed. */
  flush(): void {
    const all = [...this.#waiting];
    this.#waiting.clear();
    if (!this.#inbox.connected) return;
    for (const [pack, answers] of all) {
      for (const together of inPacks(answers)) {
        this.#nc.publish(pack, packOf(together), { headers: packHeaders });
      }
    }
  }
}
