/*
 * PartitionDetector: how the processes reach each other again when the NATS servers of a cluster are partitioned.
 *
 * A server that is cut off from its peers serves its clients on, but reports "no responders" for a service whose replicas are connected to
 * other servers. A caller there cannot tell this from a service without replicas, and the replicas there do not know that a caller misses
 * them. So every process follows the majority of the servers:
 *
 * 1. A server sends its clients the list of the servers that it reaches, itself included (`connect_urls`), and again after each change.
 * 2. When that list has less than half as many servers as the longest so far, the process leaves its server, as after a broken connection.
 * 3. The process prefers a server that is not in the list (`nextServer`).
 *
 * A server that reaches half of the others or more loses no client. When most servers have ended, a process leaves the last ones in vain: so it
 * does this twice at most, until its server reaches a majority again.
 */
import type { NatsConnection, Server, ServerInfo, Status } from '@nats-io/transport-node';

/** How long a server may reach a minority, as one does that just started, in milliseconds. */
const SETTLING_MS = 500;

/** How often a process leaves a server before its server reaches a majority. */
const MOST_DEPARTURES = 2;

/** Leaves a NATS server that reaches a minority of its cluster. */
export class PartitionDetector {
  readonly #nc: NatsConnection;
  readonly #onDeparture: () => void;
  /** How many servers of the cluster a server has reached. */
  #most = 0;
  #departures = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param onDeparture called before it leaves a server. */
  constructor(nc: NatsConnection, onDeparture: () => void) {
    this.#nc = nc;
    this.#onDeparture = onDeparture;
    this.#observe();
  }

  /** Takes a status of the client: `update` follows each list of servers. */
  take({ type }: Status): void {
    if (type === 'update') this.#observe();
  }

  #observe(): void {
    clearTimeout(this.#timer);
    this.#most = Math.max(this.#most, reachedBy(this.#nc.info).length);
    if (!this.#isInMinority()) this.#departures = 0;
    else if (this.#departures < MOST_DEPARTURES)
      this.#timer = setTimeout(() => this.#leave(), SETTLING_MS).unref();
  }

  /** Whether the server reaches a minority; false while the connection is broken. */
  #isInMinority(): boolean {
    const { info } = this.#nc;
    return info !== undefined && reachedBy(info).length < this.#most / 2;
  }

  #leave(): void {
    if (!this.#isInMinority()) return;
    this.#departures++;
    this.#onDeparture();
    // `reconnect` rejects once the connection is closed.
    this.#nc.reconnect().catch(() => {});
  }
}

/** The server to connect to next: one that the last server did not reach, else the one tried least recently. */
export function nextServer(servers: readonly Server[], last: ServerInfo | null): Server | null {
  const reached = reachedBy(last);
  const wasReached = ({ listen }: Server) => Number(reached.includes(listen));
  const [next] = servers.toSorted(
    (one, other) => wasReached(one) - wasReached(other) || one.lastConnect - other.lastConnect,
  );
  return next ?? null;
}

/** The servers that a server reaches, itself included; none without a cluster. */
export function reachedBy(server: ServerInfo | null | undefined): readonly string[] {
  return server?.connect_urls ?? [];
}
