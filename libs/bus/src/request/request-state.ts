/*
 * The life of a request:
 *
 *   made ──────── a message leaves ───────▶ sent ──────── answer, failure, cancellation ───────▶ settled ──▶ closed
 *     └────────────────────────── failure, cancellation ────────────────────────────────────────────▲
 *
 *   made      Nothing has left this process: a failure is 503, nothing was done.
 *   sent      A replica may have it: the failure of a write is 502, its outcome is unknown; that of a read is 503.
 *   settled   Its caller has the outcome. Further answers may come; the senders of long ones are to stop.
 *   closed    It has the last answer, or the deadline has passed: its reply subject is closed.
 *
 * Without an answer (`unanswered`: the time is up, the connection broke, no replica has it) a write fails, and a read is sent again
 * while its time and the retry budget last (`pending-read.ts`).
 */

import { ActionError, type ErrorCode, failureOf } from '@action-platform/contracts';
import type { RequestBatches } from '../batches/requests.ts';
import type { Connection, Receiver } from '../connection.ts';
import type { Incoming } from '../incoming.ts';
import type { Failure } from '../spans.ts';
import type { BusRequestOptions } from './options.ts';
import type { BusReply } from './reply.ts';

type State = 'made' | 'sent' | 'settled';

/** The state of a request, its time and its outcome. */
export abstract class RequestState implements Receiver {
  protected readonly connection: Connection;
  protected readonly batches: RequestBatches;
  protected readonly options: BusRequestOptions;
  /** Its reply subject, open until it is closed. */
  readonly replyTo: string;
  body: Uint8Array | string;
  /** Why it failed; undefined unless it did. */
  failure: Failure | undefined;
  readonly #answer = Promise.withResolvers<BusReply>();
  readonly #begunAt = performance.now();
  #state: State = 'made';
  #timer: NodeJS.Timeout | undefined;

  constructor(
    connection: Connection,
    batches: RequestBatches,
    body: Uint8Array | string,
    options: BusRequestOptions,
  ) {
    this.connection = connection;
    this.batches = batches;
    this.body = body;
    this.options = options;
    this.replyTo = connection.open(this);
    batches.open++;
  }

  abstract receive(message: Incoming): void;
  abstract lost(): void;
  /** No message that was sent will have an answer in time. */
  protected abstract unanswered(failure: Failure): void;

  protected get answer(): Promise<BusReply> {
    return this.#answer.promise;
  }

  get isOver(): boolean {
    return this.#state === 'settled';
  }

  get waitsSince(): number | undefined {
    return this.#state === 'sent' ? this.#begunAt : undefined;
  }

  /** How long it may still wait, in milliseconds. */
  protected get timeLeft(): number {
    return this.#begunAt + this.options.timeoutMs - performance.now();
  }

  /** Sets how long it waits from now, in milliseconds. */
  protected wait(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#timeUp(), Math.max(1, ms));
  }

  #timeUp(): void {
    const left = this.timeLeft;
    if (!this.isOver) this.unanswered('timeout');
    else if (left >= 1) this.wait(left);
    else this.close();
  }

  /** A message has left this process. */
  protected sent(): void {
    this.#state = 'sent';
  }

  protected settle(reply: BusReply): void {
    this.#answer.resolve(reply);
    this.#end();
  }

  /** Fails it; by default with the error of a request whose outcome is unknown, if it was sent. Further answers may come. */
  protected reject(failure: Failure, code = this.failureCode): void {
    this.failure = failure;
    this.#answer.reject(new ActionError(code));
    this.#end();
  }

  /** Fails it as `reject` does, and closes it. */
  protected fail(failure: Failure, code?: ErrorCode): void {
    this.reject(failure, code);
    this.close();
  }

  /** The error without a good answer: only a write that was sent may have done something. */
  protected get failureCode(): ErrorCode {
    return failureOf(this.#state === 'made' ? 'read' : (this.options.effect ?? 'write'));
  }

  /** It needs its body no more. */
  #end(): void {
    this.#state = 'settled';
    this.body = '';
  }

  protected close(): void {
    clearTimeout(this.#timer);
    if (this.connection.close(this.replyTo)) this.batches.open--;
  }
}
