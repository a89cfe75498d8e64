import {
  cancelledEvent,
  isService,
  replicaSubject,
  type Survey,
  type SurveyAnswer,
  surveyEvent,
} from '@action-platform/contracts/bus';
import type { BusUser, ServiceName } from '@action-platform/contracts/services';
import type { z } from 'zod';
import type { Connection } from '../nats/connection.ts';
import { subscribeToEvent } from '../nats/events.ts';
import { listen } from '../nats/listen.ts';
import { parsed } from '../wire/parsed.ts';
import type { ReplyTo } from '../wire/reply-to.ts';
import { Announcer } from './announcer.ts';
import { type Question, questionIn } from './protocol.ts';

/** The requests that this replica works on, and its answers. */
export interface OwnAnswers {
  /** Whether the replica works on the request with this reply subject. */
  isUnderWay(reply: string): boolean;
  /** Cancels the request with this reply subject, if the replica works on it. */
  cancel(reply: string): void;
  /** Answers the request with the reply subject `reply` on `replyTo`, at once or when its answer is there. */
  redeliver(reply: string, replyTo: ReplyTo): void;
  /** Sends the answers that wait to leave together. */
  flush(): void;
  /** The reply subjects of the answers that a break of the connection may have kept from their callers, the expected ones too. */
  missing(): string[];
  /** The reply subjects of the answers that may have been in a message on this subject, which the NATS server refused. */
  refusedAt(subject: string): string[];
}

/** This process as a replica of its service: announces it, and answers the questions of its callers (`protocol.ts`). */
export class Self {
  readonly #connection: Connection;
  readonly #user: BusUser;
  readonly #answers: OwnAnswers;
  #announcer: Announcer | undefined;

  constructor(connection: Connection, user: BusUser, answers: OwnAnswers) {
    this.#connection = connection;
    this.#user = user;
    this.#answers = answers;
  }

  /** Announces this replica, once it listens on its own subject. */
  join(): void {
    const user = this.#user;
    if (this.#announcer !== undefined || user === 'admin') return;
    if (isService(user)) this.#listen(user);
    this.#announcer = new Announcer(this.#connection, user);
  }

  /** The connection works again, perhaps to another NATS server, which does not know which answers are permitted. */
  connectionRegained(): void {
    this.#announcer?.announce({ returns: true, recentAnswers: this.#answers.missing() });
  }

  /** The NATS server refused a message on this subject. */
  refused(subject: string): void {
    const recentAnswers = this.#answers.refusedAt(subject);
    if (recentAnswers.length > 0) this.#announcer?.announce({ recentAnswers });
  }

  /** Answers a survey. The replica stays silent when `answer` rejects, or the question does not match its declaration. */
  answerSurvey<Answer extends SurveyAnswer, Body extends z.ZodObject>(
    survey: Survey<Answer, Body>,
    answer: (question: z.output<Body>) => Promise<z.input<Answer>>,
  ): void {
    const service = survey.subscribers.find((subscriber) => subscriber === this.#user);
    if (service === undefined) return;
    this.join();
    listen(this.#connection, surveyEvent(survey, service).subject, async ({ data }, replyTo) => {
      try {
        const question = survey.body.parse(parsed(data));
        this.#connection.publish(replyTo, JSON.stringify(await answer(question)));
      } catch {
        // The survey ends without this replica.
      }
    });
  }

  /** Announces that this replica leaves, with every request answered. */
  leave(): void {
    this.#announcer?.leave();
  }

  #listen(service: ServiceName): void {
    subscribeToEvent(this.#connection, cancelledEvent(service), ({ replies }) => {
      for (const reply of replies) this.#answers.cancel(reply);
    });
    listen(this.#connection, replicaSubject(service, this.#connection.id), ({ data }, replyTo) =>
      this.#take(questionIn(data), replyTo),
    );
  }

  #take(question: Question | undefined, replyTo: ReplyTo): void {
    if (question?.ask === 'redeliver') this.#answers.redeliver(question.reply, replyTo);
    if (question?.ask !== 'reconcile') return;
    // The answers to all other requests leave first.
    this.#answers.flush();
    const underWay = question.replies.filter((reply) => this.#answers.isUnderWay(reply));
    this.#connection.publish(replyTo, JSON.stringify(underWay));
  }
}
