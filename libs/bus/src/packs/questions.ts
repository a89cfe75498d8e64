import { type ServiceName, serviceOfSubject } from '@action-platform/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Headers } from '../headers.ts';
import type { Inbox } from '../inbox.ts';
import { type Incoming, saysNobodyIsThere } from '../incoming.ts';
import { inPacks, packHeaders, packOf, toPacked, unpacked } from './pack.ts';

/** A question that is about to leave. */
export interface Leaving {
  readonly subject: string;
  readonly headers: Headers;
  readonly body: Uint8Array | string;
  /** Where its answer is wanted. */
  readonly replyTo: string;
  /** Nobody waits for its answer any more. */
  readonly isOver: boolean;
  /** It is to be sent by itself. */
  leaveAlone(): void;
  /** It is sent with others. @param pack where their answers go. */
  leaveIn(pack: string): void;
}

/** Has questions leave at the end of the turn, those on one subject together (`pack.ts`), and hears the answers to packs. */
export class Questions {
  readonly #nc: NatsConnection;
  readonly #inbox: Inbox;
  readonly #takePacks: (service: ServiceName) => boolean;
  readonly #waiting = new Map<string, Leaving[]>();
  /** Below it each pack has the subject of its answers. */
  readonly #packs: string;
  #packsSent = 0;

  /** @param takePacks whether the replicas of a service do. */
  constructor(nc: NatsConnection, inbox: Inbox, takePacks: (service: ServiceName) => boolean) {
    this.#nc = nc;
    this.#inbox = inbox;
    this.#takePacks = takePacks;
    this.#packs = inbox.open({ receive: (message) => this.#receive(message), lost: () => {} });
  }

  /** Has a question leave when this turn ends. */
  add(question: Leaving): void {
    if (this.#waiting.size === 0) setImmediate(() => this.flush());
    const others = this.#waiting.get(question.subject);
    if (others === undefined) this.#waiting.set(question.subject, [question]);
    else others.push(question);
  }

  /** Has those leave now that wait for the end of the turn. */
  flush(): void {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    // While the connection is broken they wait for another, or have failed.
    if (!this.#inbox.connected) return;
    for (const questions of all) this.#send(questions.filter(({ isOver }) => !isOver));
  }

  /** Sends questions that are asked on one subject. */
  #send(questions: readonly Leaving[]): void {
    if (questions.length > 1 && this.#mayGoTogether(questions[0]!.subject)) {
      for (const pack of inPacks(questions.map(packed))) this.#sendPack(pack);
    } else {
      for (const question of questions) question.leaveAlone();
    }
  }

  #mayGoTogether(subject: string): boolean {
    const service = serviceOfSubject(subject);
    return service !== undefined && this.#takePacks(service);
  }

  #sendPack(pack: readonly ReturnType<typeof packed>[]): void {
    const [{ question: first }] = pack as [ReturnType<typeof packed>];
    if (pack.length === 1) {
      first.leaveAlone();
      return;
    }
    const reply = `${this.#packs}.${this.#packsSent++}`;
    for (const { question } of pack) question.leaveIn(reply);
    this.#nc.publish(first.subject, packOf(pack), { reply, headers: packHeaders });
  }

  /** Hands the answers of a pack to those who asked in the one that it answers. */
  #receive(message: Incoming): void {
    const pack = message.subject;
    const answers = unpacked(message);
    for (const answer of answers ?? []) {
      const asked = this.#inbox.receiverAt(answer.subject);
      if (asked?.pack === pack) asked.receive(answer);
    }
    if (answers !== undefined) return;
    const nobodyIsThere = saysNobodyIsThere(message);
    for (const asked of [...this.#inbox.receivers()].filter((each) => each.pack === pack)) {
      if (nobodyIsThere) asked.receive(message);
      else asked.replicaGone?.();
    }
  }
}

function packed(question: Leaving) {
  return { ...toPacked(question.replyTo, question.headers, question.body), question };
}
