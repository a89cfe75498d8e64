import type { Connection, Receiver } from '../connection.ts';
import type { Headers } from '../headers.ts';
import { type Incoming, isNoResponders } from '../incoming.ts';
import { batchHeaders, decodeBatch, encodeBatch, inBatches, toBatchItem } from './batch.ts';

/** A request that is about to be sent. */
export interface Outgoing extends Receiver {
  readonly subject: string;
  readonly headers: Headers;
  readonly body: Uint8Array | string;
  /** The reply subject of the batch that it was sent in. */
  readonly batch: string | undefined;
  /** Its reply subject. */
  readonly replyTo: string;
  /** It has its answer, failed or was cancelled. */
  readonly isOver: boolean;
  /** Sends it as a message of its own. */
  sendAlone(): void;
  /** It was sent in a batch. @param batch the reply subject of the batch */
  sentIn(batch: string): void;
  /** The batch was not answered by a replica that takes batches. */
  replicaLost(): void;
}

/**
 * From how many open requests on a request waits for others, and how long, in milliseconds. At 64 clients it halves the messages, which
 * takes 10 % off the CPU time of all processes, more than the wait adds to an answer. A few callers never wait.
 */
const BUSY_FROM = 24;
const BUSY_WAIT_MS = 1;

/** Sends requests at the end of the tick or soon after, those on one subject in batches (`batch.ts`), and dispatches the answers to batches. */
export class RequestBatches {
  readonly #connection: Connection;
  /** By subject. Each tick has a map of its own: the table of a cleared one would stay in the old generation with its requests (`Connection`). */
  #waiting = new Map<string, Outgoing[]>();
  /** The reply subjects of all batches begin with this. */
  readonly #batches: string;
  #batchesSent = 0;
  /** How many requests are open. */
  open = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#batches = connection.open({ receive: (message) => this.#receive(message), lost: () => {} });
  }

  /** Sends a request when this tick ends; while many are open, a moment later. */
  add(request: Outgoing): void {
    if (this.#waiting.size === 0) {
      if (this.open < BUSY_FROM) setImmediate(() => this.flush());
      else setTimeout(() => this.flush(), BUSY_WAIT_MS);
    }
    const others = this.#waiting.get(request.subject);
    if (others === undefined) this.#waiting.set(request.subject, [request]);
    else others.push(request);
  }

  /** Sends the waiting requests now. */
  flush(): void {
    const all = this.#waiting;
    this.#waiting = new Map();
    // While the connection is broken, reads wait for the next one and writes have failed.
    if (!this.#connection.isConnected) return;
    for (const requests of all.values()) this.#send(requests.filter(({ isOver }) => !isOver));
  }

  /** Sends requests on one subject. */
  #send(requests: readonly Outgoing[]): void {
    if (requests.length === 1) requests[0]!.sendAlone();
    else for (const batch of inBatches(requests.map(toItem))) this.#sendBatch(batch);
  }

  #sendBatch(batch: readonly ReturnType<typeof toItem>[]): void {
    const [{ request: first }] = batch as [ReturnType<typeof toItem>];
    if (batch.length === 1) {
      first.sendAlone();
      return;
    }
    const reply = `${this.#batches}.${this.#batchesSent++}`;
    for (const { request } of batch) request.sentIn(reply);
    this.#connection.publish(first.subject, encodeBatch(batch), { reply, headers: batchHeaders });
  }

  /** Dispatches the answers of a batch to the requests of the batch that it answers. */
  #receive(message: Incoming): void {
    const batch = message.subject;
    const answers = decodeBatch(message);
    for (const answer of answers ?? []) {
      const request = this.#connection.receiverAt(answer.subject);
      if (isIn(batch, request)) request.receive(answer);
    }
    if (answers !== undefined) return;
    const hasNoResponders = isNoResponders(message);
    for (const request of this.#connection.receivers().filter((each) => isIn(batch, each))) {
      if (hasNoResponders) request.receive(message);
      else request.replicaLost();
    }
  }
}

/** Whether a receiver is a request that was sent in a batch. */
function isIn(batch: string, receiver: Receiver | undefined): receiver is Outgoing {
  return (receiver as Outgoing | undefined)?.batch === batch;
}

function toItem(request: Outgoing) {
  return { ...toBatchItem(request.replyTo, request.headers, request.body), request };
}
