import { setTimeout as delay } from 'node:timers/promises';
import type { Event, Survey, SurveyAnswer } from '@action-platform/contracts/bus';
import { callersOf } from '@action-platform/contracts/calls';
import { timeouts } from '@action-platform/contracts/limits';
import { services } from '@action-platform/contracts/services';
import { gauge } from '@action-platform/telemetry';
import type { NatsConnection } from '@nats-io/transport-node';
import type { z } from 'zod';
import { Answers, type BusHandler } from './answer.ts';
import type { BusReply } from './long-answers/reply.ts';
import { type BusOptions, connectToServer } from './nats/connect.ts';
import { Connection } from './nats/connection.ts';
import { publishEvent, subscribeToEvent } from './nats/events.ts';
import { followConnection } from './nats/follow-connection.ts';
import { reachedBy } from './nats/partition-detector.ts';
import { Failover } from './replicas/failover.ts';
import { Roster, type Sighting } from './replicas/roster.ts';
import { Self } from './replicas/self.ts';
import { askAll, type SurveyOptions } from './replicas/survey.ts';
import { type BusRequestOptions, Requests } from './request.ts';
import { Streams } from './streams/streams.ts';

/** Connects to the bus; waits for a NATS server that is not up yet. */
export async function connectBus(options: BusOptions): Promise<Bus> {
  return new Bus(await connectToServer(options), options);
}

/** A connection to the bus: makes requests and serves them. */
export class Bus {
  /** The stored streams of messages. */
  readonly streams: Streams;
  readonly #nc: NatsConnection;
  readonly #connection: Connection;
  readonly #answers: Answers;
  readonly #self: Self;
  readonly #failover: Failover;
  readonly #requests: Requests;
  readonly #roster: Roster;

  constructor(nc: NatsConnection, { user, onEvent, hedgeAfterMs }: BusOptions) {
    this.#nc = nc;
    const connection = new Connection(nc, user);
    this.#connection = connection;
    this.streams = new Streams(nc, connection, user);
    this.#answers = new Answers(connection);
    this.#self = new Self(connection, user, this.#answers);
    const called = services.filter((service) => callersOf(service).includes(user));
    this.#failover = new Failover(connection, called);
    this.#requests = new Requests(connection, hedgeAfterMs);
    this.#roster = new Roster(connection, user, (name, announcement) =>
      this.#failover.take(name, announcement),
    );
    gauge('bus.connected', () => Number(this.connected));
    gauge('bus.servers.reached', () => reachedBy(nc.info).length);
    gauge('clock.difference', () => this.#roster.clockDifference() / 1_000);
    void followConnection(nc, connection, this.#self, onEvent);
  }

  /** False while the connection is broken; the NATS client keeps reconnecting. */
  get connected(): boolean {
    return this.#connection.isConnected;
  }

  /**
   * Sends a request and waits for its answer to begin. A write is sent once. A read (`effect`) is sent to other replicas too while none
   * answers, and again after a reconnect; the first answer wins. Throws ActionError:
   * - `request_body_too_large` when it is larger than the NATS server takes: nothing was done;
   * - `action_platform_unavailable` when nothing was sent, or no replica serves the subject: nothing was done; of a read
   *   also when the answer did not come in time or failed;
   * - `action_infrastructure_failure` when the answer to a write did not come in time, failed, or the connection broke
   *   after it was sent: the outcome is unknown.
   */
  request(subject: string, body: Uint8Array | string, options: BusRequestOptions): Promise<BusReply> {
    return this.#requests.send(subject, body, options);
  }

  /** Serves a subject; the members of a queue group share its requests. */
  serve(subject: string, queue: string, handler: BusHandler): void {
    this.#self.join();
    this.#answers.serve(subject, queue, handler);
  }

  /** Answers a survey for this replica; when `answer` rejects, the replica stays silent. */
  answerSurvey<Answer extends SurveyAnswer, Body extends z.ZodObject>(
    survey: Survey<Answer, Body>,
    answer: (question: z.output<Body>) => Promise<z.input<Answer>>,
  ): void {
    this.#self.answerSurvey(survey, answer);
  }

  /** Sends a survey to every replica, and resolves with their answers when these are complete or the time is up. */
  survey<Answer extends SurveyAnswer>(
    survey: Survey<Answer>,
    options: SurveyOptions<z.output<Answer>>,
  ): Promise<z.output<Answer>[]> {
    return askAll(this.#connection, survey, options);
  }

  /** The name of this connection: of a process of the platform, the id of the replica. */
  get replica(): string {
    return this.#connection.id;
  }

  /** The replicas of other processes that announced themselves lately and have not left. */
  get heardOf(): readonly Sighting[] {
    return this.#roster.list();
  }

  /** Publishes an event to every replica of its subscribers; does nothing while the connection is broken. */
  publish<Body extends z.ZodObject>(event: Event<Body>, body: z.input<Body>): void {
    publishEvent(this.#connection, event, body);
  }

  /** Subscribes to an event, this process's own included; ignores messages that do not match its declaration. */
  subscribe<Body extends z.ZodObject>(event: Event<Body>, take: (body: z.output<Body>) => void): void {
    subscribeToEvent(this.#connection, event, take);
  }

  /**
   * Resolves once the NATS server has received all messages and subscriptions so far; after a break, once the connection is established
   * again. Rejects when it is closed.
   */
  async flush(): Promise<void> {
    for (;;) {
      try {
        this.#requests.flush();
        this.#answers.flush();
        await this.#nc.flush();
        return;
      } catch (error) {
        if (this.#nc.isClosed()) throw error;
        await delay(timeouts.busReconnectWait);
      }
    }
  }

  /**
   * Takes no more requests, finishes those it has, and closes the connection. Nothing taken is lost.
   *
   * @param finish the last work with the connection.
   * @param limit when it resolves, the requests that are still under way are abandoned.
   */
  async drain(finish?: () => Promise<void>, limit?: Promise<unknown>): Promise<void> {
    this.#requests.flush();
    const drained = this.#nc.isClosed() ? undefined : this.#answers.drain().then(() => this.#self.leave());
    await (limit === undefined ? drained : Promise.race([drained, limit]));
    await finish?.();
    this.#failover.stop();
    if (this.#nc.isClosed()) return;
    // A connection that breaks now has nothing left to send.
    if (this.connected) await this.#nc.flush().catch(() => {});
    await this.#nc.close();
  }
}
