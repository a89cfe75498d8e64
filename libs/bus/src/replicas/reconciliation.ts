import type { ServiceName } from '@action-platform/contracts/services';
import type { Connection } from '../nats/connection.ts';
import { type Incoming, isNoResponders } from '../wire/incoming.ts';
import { numbered, type ReplyTo } from '../wire/reply-to.ts';
import type { InFlight } from './in-flight.ts';
import { askReplica, reconciledIn } from './protocol.ts';

/** The replicas and requests of a reconciliation. */
interface Scope {
  readonly service: ServiceName;
  /** The ids of the replicas. */
  readonly replicas: Iterable<string>;
  /** The requests without an answer. */
  readonly requests: readonly InFlight[];
}

/**
 * In-flight reconciliation: finds out which of a caller's requests the replicas of a service have. When all have answered, `Reconciliation`
 * fails over the requests that no replica has.
 */
export class Reconciliation {
  readonly beganAt = performance.now();
  readonly #connection: Connection;
  readonly #subject: ReplyTo;
  /** The ids of the replicas; an answer's subject ends with the position of its replica. */
  readonly #replicas: readonly string[];
  readonly #unanswered: Set<string>;
  readonly #requests = new Map<string, InFlight>();
  readonly #missing: Set<InFlight>;
  hasEnded = false;

  constructor(connection: Connection, { service, replicas, requests }: Scope) {
    this.#connection = connection;
    this.#replicas = [...replicas];
    this.#unanswered = new Set(this.#replicas);
    for (const request of requests) {
      for (const reply of request.replySubjects ?? []) this.#requests.set(reply, request);
    }
    this.#missing = new Set(this.#requests.values());
    this.#subject = connection.open({ receive: (message) => this.#receive(message), lost: () => this.end() });
    if (this.#missing.size > 0) {
      const question = { ask: 'reconcile', replies: [...this.#requests.keys()] } as const;
      for (const [position, id] of this.#replicas.entries()) {
        askReplica(connection, service, id, question, numbered(this.#subject, position));
      }
    }
    this.#settle();
  }

  /** Counts a lost replica as one that has none of the requests. */
  replicaLost(id: string): void {
    if (this.#unanswered.delete(id)) this.#settle();
  }

  /** Ends it, with a result or without. */
  end(): void {
    this.hasEnded = true;
    this.#connection.close(this.#subject);
  }

  #receive(message: Incoming): void {
    const underWay = isNoResponders(message) ? [] : reconciledIn(message.data);
    const id = this.#replicas[Number(message.subject.slice(this.#subject.length + 1))];
    if (underWay === undefined || id === undefined) return;
    for (const reply of underWay) this.#missing.delete(this.#requests.get(reply)!);
    this.replicaLost(id);
  }

  #settle(): void {
    if (this.#unanswered.size > 0 && this.#missing.size > 0) return;
    this.end();
    for (const request of this.#missing) request.replicaLost();
  }
}
