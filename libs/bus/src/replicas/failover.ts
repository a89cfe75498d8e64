/*
 * Failover: how a caller detects that the replica with its request has died or is cut off.
 *
 * The NATS server reports at once that a subject has no subscriber. The server reports nothing when the replica that took a request dies,
 * because only that replica knew of the request. So:
 *
 * 1. Every replica has a subject of its own, and announces itself to the callers of its service (`announcer.ts`).
 * 2. When an answer is missing for a tenth of a second, the caller sends a liveness probe to every known replica of that
 *    service: an empty message to the replica's subject. A live replica ignores it. For a dead replica the NATS
 *    server reports "no responders". A call with a quick answer costs no probe.
 * 3. Then the caller reconciles its in-flight requests (`reconciliation.ts`): it requests from the other replicas which of them they
 *    have. Messages of one sender stay in order, so a replica that does not have a request by then never received it, and one
 *    that answered it answered before. A request that no replica has was at the dead one.
 * 4. Such a request fails like one whose connection broke: a read is sent again, the outcome of a write is unknown.
 *
 * A replica whose own connection broke reconnects before any probe, but messages sent to it meanwhile are lost, and its long
 * answers have ended. The replica announces its return, which causes a reconciliation too.
 *
 * A NATS server may not yet know that another one hangs, and route a request to it after all its replicas moved elsewhere. So
 * the caller also reconciles when an answer is late.
 *
 * A replica that stops gracefully announces that it has answered every request, and causes no reconciliation. A replica that
 * hangs keeps its connection until the NATS server closes it (`timeouts.busPingInterval`). A new replica announces itself
 * before it takes requests. When such a message is late or lost, a request waits for its deadline, or a
 * request fails over that was not lost; the error that the caller receives is correct in both cases.
 *
 * A caller accepts these messages only for the service whose key sent them, and bounds them (`service-replicas.ts`): one service cannot
 * slow down calls to the others.
 */
import { isService, type ReplicaAnnouncement } from '@action-platform/contracts/bus';
import { timeouts } from '@action-platform/contracts/limits';
import type { ProcessName, ServiceName } from '@action-platform/contracts/services';
import { gauge } from '@action-platform/telemetry';
import type { Connection } from '../nats/connection.ts';
import { inFlightOf } from './in-flight.ts';
import { ServiceReplicas } from './service-replicas.ts';

/** Detects dead replicas of the services that a connection calls, and fails over the requests at them. */
export class Failover {
  readonly #connection: Connection;
  readonly #services: ReadonlyMap<ServiceName, ServiceReplicas>;
  /** Runs while an answer is awaited, so that an idle process is not woken. */
  #timer: NodeJS.Timeout | undefined;
  readonly #listensSince = performance.now();

  /** @param called the services that this connection may call. */
  constructor(connection: Connection, called: readonly ServiceName[]) {
    this.#connection = connection;
    this.#services = new Map(called.map((service) => [service, new ServiceReplicas(connection, service)]));
    for (const [service, replicas] of this.#services) gauge('bus.replicas', () => replicas.size, { service });
    connection.onOpened = () => {
      this.#timer ??= setInterval(() => this.#probe(), timeouts.busProbeInterval).unref();
    };
  }

  /** Ends the liveness probes. */
  stop(): void {
    this.#connection.onOpened = undefined;
    this.#endTimer();
  }

  /** Takes an announcement of a replica. */
  take(process: ProcessName, announcement: ReplicaAnnouncement): void {
    // A gateway has no callers on the bus.
    if (isService(process)) this.#services.get(process)?.take(announcement);
  }

  /** Probes the replicas of each service with a late answer. */
  #probe(): void {
    const inFlight = inFlightOf(this.#connection);
    if (inFlight.length === 0) this.#endTimer();
    if (inFlight.length === 0 || !this.#connection.isConnected) return;
    const now = performance.now();
    const lateSince = new Map<ServiceName | undefined, number>();
    for (const { waitsSince = now, service } of inFlight) {
      if (waitsSince < (lateSince.get(service) ?? now - timeouts.busProbeInterval))
        lateSince.set(service, waitsSince);
    }
    const areAllKnown = this.#listensSince < now - 2 * timeouts.busAnnounceInterval;
    for (const [service, replicas] of this.#services) {
      const since = lateSince.get(service);
      if (since !== undefined) replicas.probe(since, areAllKnown);
    }
  }

  #endTimer(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
