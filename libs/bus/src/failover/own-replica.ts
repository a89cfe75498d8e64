import {
  type BusUser,
  busUsers,
  cancelledEvent,
  isService,
  replicaSubject,
  type ServiceName,
} from '@action-platform/contracts';
import { type Answers, FAILED, type WholeAnswer } from '../batches/answers.ts';
import { cancelRequests } from '../cancellations.ts';
import { type Connection, inboxAt, isInInboxOf } from '../connection.ts';
import { subscribeToEvent } from '../events.ts';
import { listen } from '../listen.ts';
import { Presence } from './presence.ts';
import { answerReconciliation } from './reconciliation.ts';
import { decodeRedelivery, RecentAnswers } from './redelivery.ts';

/** The responder's side of failover, cancellation and redelivery: this process as a replica of its service. */
export class OwnReplica {
  readonly #connection: Connection;
  readonly #user: BusUser;
  readonly #answers: Answers;
  /** The requests without an answer, by reply subject. */
  readonly #inProgress = new Map<string, AbortController>();
  readonly #recentAnswers = new RecentAnswers();
  #presence: Presence | undefined;

  constructor(connection: Connection, user: BusUser, answers: Answers) {
    this.#connection = connection;
    this.#user = user;
    this.#answers = answers;
  }

  /** Announces this replica, once it listens on its own subject. */
  join(): void {
    const user = this.#user;
    if (this.#presence !== undefined || user === 'admin') return;
    if (isService(user)) this.#listen(user);
    this.#presence = new Presence(this.#connection, user);
  }

  /** Announces that this replica leaves, with every request answered. */
  leave(): void {
    this.#presence?.leave();
  }

  /** A request was received. @param left is aborted when its requester has left */
  begin(replyTo: string, left: AbortController): void {
    this.#inProgress.set(replyTo, left);
  }

  /** A request was answered. */
  end(replyTo: string): void {
    this.#inProgress.delete(replyTo);
    this.#recentAnswers.forget(replyTo);
  }

  /** Answers a request. */
  answer(replyTo: string, answer: WholeAnswer): void {
    this.#send(this.#recentAnswers.subjectFor(replyTo), answer);
  }

  /** The subject of a long answer to a request. Its redelivery fails, because a long answer is not kept. */
  longAnswerSubject(replyTo: string): string {
    const subject = this.#recentAnswers.subjectFor(replyTo);
    this.#recentAnswers.keep(subject, FAILED);
    return subject;
  }

  /** The connection works again, perhaps to another NATS server, which does not know which answers are permitted. */
  connectionRegained(): void {
    const recentAnswers = this.#recentAnswers.subjects(this.#inProgress.keys());
    this.#presence?.announce({ returns: true, recentAnswers });
  }

  /** The NATS server refused a message on a subject: an answer, or a batch of answers. */
  refused(subject: string): void {
    if (this.#recentAnswers.get(subject) !== undefined) {
      this.#presence?.announce({ recentAnswers: [subject] });
    } else if (busUsers.some((user) => isInInboxOf(user, subject))) {
      this.#presence?.announce({ recentAnswers: this.#recentAnswers.subjects() });
    }
  }

  #listen(service: ServiceName): void {
    const connection = this.#connection;
    subscribeToEvent(connection, cancelledEvent(service), ({ replies }) =>
      cancelRequests(this.#inProgress, replies),
    );
    listen(connection, replicaSubject(service, connection.id), ({ data, reply }) => {
      const redelivered = decodeRedelivery(data);
      if (redelivered !== undefined) {
        this.#redeliver(redelivered, reply!);
        return;
      }
      const has = answerReconciliation(data, (replyTo) => this.#inProgress.has(replyTo));
      if (has === undefined) return;
      // The answers to all other requests leave first.
      this.#answers.flush();
      connection.publish(reply!, has);
    });
  }

  /** Answers the request with the reply subject `replyTo` on `subject`, when both are in one inbox: the answer may be a secret. */
  #redeliver(replyTo: string, subject: string): void {
    if (!subject.startsWith(inboxAt(replyTo))) return;
    const answer = this.#recentAnswers.get(replyTo);
    if (answer !== undefined) this.#send(subject, answer);
    else if (this.#inProgress.has(replyTo)) this.#recentAnswers.redirect(replyTo, subject);
    else this.#answers.send(subject, FAILED);
  }

  #send(subject: string, answer: WholeAnswer): void {
    this.#answers.send(subject, answer);
    this.#recentAnswers.keep(subject, answer);
  }
}
