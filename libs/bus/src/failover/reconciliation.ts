import { replicaSubject, type ServiceName } from '@action-platform/contracts';
import type { Connection } from '../connection.ts';
import { type Incoming, isNoResponders } from '../incoming.ts';
import { parsed } from '../parsed.ts';
import type { InFlight } from './in-flight.ts';

/** The replicas and requests of a reconciliation. */
interface Scope {
  readonly service: ServiceName;
  /** The ids of the replicas. */
  readonly replicas: Iterable<string>;
  /** The requests without an answer. */
  readonly requests: readonly InFlight[];
}

/**
 * In-flight reconciliation: finds out which of a caller's requests the replicas of a service have. When all have answered,
 * it fails over the requests that no replica has.
 */
export class Reconciliation {
  readonly beganAt = performance.now();
  readonly #connection: Connection;
  readonly #subject: string;
  /** The ids of the replicas; an answer's subject ends with the position of its replica. */
  readonly #replicas: readonly string[];
  readonly #unanswered: Set<string>;
  readonly #requests = new Map<string, InFlight>();
  readonly #missing: Set<InFlight>;
  isOver = false;

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
      const body = JSON.stringify([...this.#requests.keys()]);
      for (const [position, id] of this.#replicas.entries()) {
        connection.publish(replicaSubject(service, id), body, { reply: `${this.#subject}.${position}` });
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
    this.isOver = true;
    this.#connection.close(this.#subject);
  }

  #receive(message: Incoming): void {
    const has = isNoResponders(message) ? [] : parsed(message.data);
    const id = this.#replicas[Number(message.subject.slice(this.#subject.length + 1))];
    if (!Array.isArray(has) || id === undefined) return;
    for (const reply of has) this.#missing.delete(this.#requests.get(reply)!);
    this.replicaLost(id);
  }

  #settle(): void {
    if (this.#unanswered.size > 0 && this.#missing.size > 0) return;
    this.end();
    for (const request of this.#missing) request.replicaLost();
  }
}

/** A replica's answer to a reconciliation: the requests that it has. Undefined for a liveness probe. */
export function answerReconciliation(
  body: Uint8Array,
  has: (replyTo: string) => boolean,
): string | undefined {
  const asked = body.length > 0 ? parsed(body) : undefined;
  if (!Array.isArray(asked)) return undefined;
  return JSON.stringify(asked.filter((replyTo) => has(replyTo)));
}
