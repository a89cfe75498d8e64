import {
  type BusUser,
  busUsers,
  cancelledEvent,
  isService,
  replicaSubject,
  type ServiceName,
} from '@action-platform/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import { type Answers, FAILED, type WholeAnswer } from '../batches/answers.ts';
import { type Cancellable, Cancellations } from '../cancellations.ts';
import { hearEvent } from '../events.ts';
import { type Inbox, inboxAt, isInInboxOf } from '../inbox.ts';
import { listen } from '../listen.ts';
import { Presence } from './presence.ts';
import { answerReconciliation } from './reconciliation.ts';
import { demanded, Undelivered } from './redelivery.ts';

/** The responder's side of failover, cancellation and redelivery: this process as a replica of its service. */
export class OwnReplica {
  readonly #nc: NatsConnection;
  readonly #inbox: Inbox;
  readonly #user: BusUser;
  readonly #answers: Answers;
  readonly #inFlight = new Cancellations();
  readonly #undelivered = new Undelivered();
  #presence: Presence | undefined;

  constructor(nc: NatsConnection, inbox: Inbox, user: BusUser, answers: Answers) {
    this.#nc = nc;
    this.#inbox = inbox;
    this.#user = user;
    this.#answers = answers;
  }

  /** Announces this replica, once it listens on its own subject. */
  join(): void {
    const user = this.#user;
    if (this.#presence !== undefined || user === 'admin') return;
    if (isService(user)) this.#listen(user);
    this.#presence = new Presence(this.#nc, this.#inbox, user);
  }

  /** Announces that this replica leaves, with every request answered. */
  leave(): void {
    this.#presence?.leave();
  }

  /** A request was received. */
  begin(replyTo: string, request: Cancellable): void {
    this.#inFlight.add(replyTo, request);
  }

  /** A request was answered. */
  end(replyTo: string): void {
    this.#inFlight.delete(replyTo);
    this.#undelivered.forget(replyTo);
  }

  /** Answers a request. */
  answer(replyTo: string, answer: WholeAnswer): void {
    this.#send(this.#undelivered.subjectFor(replyTo), answer);
  }

  /** Answers that a request has failed. */
  fail(replyTo: string): void {
    const subject = this.#undelivered.subjectFor(replyTo);
    this.#answers.fail(subject);
    this.#undelivered.keep(subject, FAILED);
  }

  /** The subject of a long answer to a request. Its redelivery fails, because a long answer is not kept. */
  longAnswerSubject(replyTo: string): string {
    const subject = this.#undelivered.subjectFor(replyTo);
    this.#undelivered.keep(subject, FAILED);
    return subject;
  }

  /** The connection works again, perhaps to another NATS server, which does not know which answers are permitted. */
  connectionRegained(): void {
    this.#presence?.return(this.#undelivered.owed(this.#inFlight.replies()));
  }

  /** The NATS server refused a message on a subject. */
  refused(subject: string): void {
    const isAnswer = this.#undelivered.get(subject) !== undefined;
    const isBatch = !isAnswer && busUsers.some((user) => isInInboxOf(user, subject));
    if (isAnswer) this.#presence?.owe([subject]);
    else if (isBatch) this.#presence?.owe(this.#undelivered.owed([]));
  }

  #listen(service: ServiceName): void {
    hearEvent(this.#nc, cancelledEvent(service), ({ replies }) => this.#inFlight.cancel(replies));
    listen(this.#nc, replicaSubject(service, this.#inbox.connection), (message) => {
      const { data, reply } = message;
      const owed = demanded(message);
      if (owed !== undefined) {
        this.#redeliver(owed, reply!);
        return;
      }
      const has = answerReconciliation(data, (replyTo) => this.#inFlight.has(replyTo));
      if (has === undefined || !this.#inbox.connected) return;
      // The answers to all other requests leave first.
      this.#answers.flush();
      this.#nc.publish(reply!, has);
    });
  }

  /** Answers on `subject` a request with the reply subject `owed`, when both are in one inbox: the answer may be a secret. */
  #redeliver(owed: string, subject: string): void {
    if (!subject.startsWith(inboxAt(owed))) return;
    const answer = this.#undelivered.get(owed);
    if (answer !== undefined) this.#send(subject, answer);
    else if (this.#inFlight.has(owed)) this.#undelivered.redirect(owed, subject);
    else this.#answers.fail(subject);
  }

  #send(subject: string, answer: WholeAnswer): void {
    this.#answers.send(subject, answer);
    this.#undelivered.keep(subject, answer);
  }
}
