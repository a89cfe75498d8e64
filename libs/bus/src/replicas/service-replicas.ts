import { MOST_REPLICAS, type ReplicaAnnouncement } from '@action-platform/contracts/bus';
import { timeouts } from '@action-platform/contracts/limits';
import type { ServiceName } from '@action-platform/contracts/services';
import type { Connection, Receiver } from '../nats/connection.ts';
import { isNoResponders } from '../wire/incoming.ts';
import type { ReplyTo } from '../wire/reply-to.ts';
import { type InFlight, inFlightOf } from './in-flight.ts';
import { askReplica } from './protocol.ts';
import { Reconciliation } from './reconciliation.ts';

/** How long an answer is missing before requests are reconciled, in milliseconds. */
const LATE_MS = 1_000;
/** How long a reconciliation may take before the next one replaces it, in milliseconds. */
const RECONCILIATION_MS = 1_000;

/**
 * The replicas of one service, as a caller knows them.
 *
 * One reconciliation is under way at most, and one waits at most; reconciliations begin `timeouts.busProbeInterval` apart at least. So a
 * service that publishes any number of events about its replicas costs its callers a bounded number of messages.
 */
export class ServiceReplicas {
  readonly #connection: Connection;
  readonly #service: ServiceName;
  /** By the id of a replica, the reply subject of its liveness probes: the NATS server answers there for a dead replica. */
  readonly #known = new Map<string, ReplyTo>();
  #reconciliation: Reconciliation | undefined;
  #isReconciliationDue = false;

  constructor(connection: Connection, service: ServiceName) {
    this.#connection = connection;
    this.#service = service;
  }

  /** How many are known. */
  get size(): number {
    return this.#known.size;
  }

  /** Takes an announcement of a replica. */
  take({ replica: id, leaves, returns, recentAnswers }: ReplicaAnnouncement): void {
    if (leaves) this.#remove(id);
    else this.#add(id);
    // The replica redelivers before it answers a reconciliation, because it receives these requests first.
    if (recentAnswers !== undefined) this.#requestRedelivery(id, new Set(recentAnswers));
    if (returns) this.#lost(id);
  }

  /** Requests the redelivery of a replica's recent answers that are still missing. */
  #requestRedelivery(id: string, recentAnswers: ReadonlySet<string>): void {
    for (const receiver of this.#awaiting()) {
      const reply = receiver.replySubjects?.find((subject) => recentAnswers.has(subject));
      if (reply !== undefined) receiver.redeliver?.(id, reply);
    }
  }

  /** Adds a replica, up to MOST_REPLICAS. */
  #add(id: string): void {
    if (this.#known.has(id) || this.size >= MOST_REPLICAS) return;
    const receive: Receiver['receive'] = (message) => {
      if (isNoResponders(message) && this.#remove(id)) this.#lost(id);
    };
    this.#known.set(id, this.#connection.open({ receive, lost: () => {} }));
  }

  /** Removes a replica; false when it was not known. */
  #remove(id: string): boolean {
    const probes = this.#known.get(id);
    if (probes === undefined) return false;
    this.#connection.close(probes);
    this.#reconciliation?.replicaLost(id);
    return this.#known.delete(id);
  }

  /**
   * The connection of a replica broke: its long answers break off, and requests sent to it may have been lost.
   */
  #lost(id: string): void {
    for (const receiver of this.#awaiting()) {
      if (receiver.sender === id) receiver.replicaLost();
    }
    this.#isReconciliationDue = true;
    this.#reconcileIfDue();
  }

  /** Probes the replicas, because a request has waited since `since`; reconciles when that is longer than LATE_MS ago. */
  probe(since: number, areAllKnown: boolean): void {
    for (const [id, probes] of this.#known) {
      askReplica(this.#connection, this.#service, id, { ask: 'ping' }, probes);
    }
    const now = performance.now();
    const lateSince = Math.max(since, this.#reconciliation?.beganAt ?? 0);
    // An unknown replica may have the request.
    const isAnyUnknown = !areAllKnown || this.size === 0 || this.size >= MOST_REPLICAS;
    if (!isAnyUnknown && lateSince < now - LATE_MS) this.#isReconciliationDue = true;
    this.#reconcileIfDue();
  }

  /** Everything that waits for a replica of the service. */
  #awaiting(): InFlight[] {
    return inFlightOf(this.#connection).filter(
      ({ waitsSince, service }) => waitsSince !== undefined && service === this.#service,
    );
  }

  #reconcileIfDue(): void {
    const { beganAt = Number.NEGATIVE_INFINITY, hasEnded = true } = this.#reconciliation ?? {};
    const sinceLast = performance.now() - beganAt;
    const isFree = sinceLast >= (hasEnded ? timeouts.busProbeInterval : RECONCILIATION_MS);
    if (!this.#isReconciliationDue || !isFree) return;
    this.#isReconciliationDue = false;
    this.#reconciliation?.end();
    const [service, replicas, requests] = [this.#service, this.#known.keys(), this.#awaiting()];
    this.#reconciliation = new Reconciliation(this.#connection, { service, replicas, requests });
  }
}
