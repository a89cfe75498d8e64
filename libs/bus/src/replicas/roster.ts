import { MOST_REPLICAS, type ReplicaAnnouncement, replicaEvent } from '@action-platform/contracts/bus';
import { timeouts } from '@action-platform/contracts/limits';
import { type BusUser, type ProcessName, processes } from '@action-platform/contracts/services';
import type { Connection } from '../nats/connection.ts';
import { subscribeToEvent } from '../nats/events.ts';

/** How long a silent replica stays listed, in milliseconds. */
const REMEMBERED_MS = 5 * 60_000;

/** A replica that announced itself, with its host and process. */
export interface Sighting extends Pick<ReplicaAnnouncement, 'replica' | 'host' | 'pid'> {
  readonly service: ProcessName;
  /** Milliseconds since its last announcement. */
  readonly silent_ms: number;
  /** By how many milliseconds its clock is ahead of the one of this process; less by the time of a message. */
  readonly clock_ms?: number | undefined;
}

/** Whether a replica has missed two announcements in a row. */
export function isSilent({ silent_ms }: Pick<Sighting, 'silent_ms'>): boolean {
  return silent_ms > 2 * timeouts.busAnnounceInterval;
}

/** The last announcement of a replica, and when it came. */
type LastAnnouncement = Pick<Sighting, 'replica' | 'host' | 'pid' | 'clock_ms'> & { readonly at: number };

/** The replicas that announced themselves to this connection. */
export class Roster {
  readonly #replicas = new Map<ProcessName, Map<string, LastAnnouncement>>();

  /** @param onAnnouncement called with each announcement. */
  constructor(
    connection: Connection,
    user: BusUser,
    onAnnouncement: (service: ProcessName, announcement: ReplicaAnnouncement) => void,
  ) {
    for (const service of processes) {
      const event = replicaEvent(service);
      if (!event.subscribers.includes(user)) continue;
      const replicas = new Map<string, LastAnnouncement>();
      this.#replicas.set(service, replicas);
      subscribeToEvent(connection, event, (announcement) => {
        record(replicas, announcement);
        onAnnouncement(service, announcement);
      });
    }
  }

  /** The largest difference between the clock of this process and those of the replicas that are not silent, in milliseconds. */
  clockDifference(): number {
    const audible = this.list().filter((each) => !isSilent(each));
    return Math.max(0, ...audible.map(({ clock_ms = 0 }) => Math.abs(clock_ms)));
  }

  /** The replicas that announced themselves lately and have not left. */
  list(): Sighting[] {
    const now = performance.now();
    const sightings = [...this.#replicas].flatMap(([service, replicas]) =>
      [...replicas.values()].map(({ at, ...rest }) => ({
        service,
        ...rest,
        silent_ms: Math.round(now - at),
      })),
    );
    return sightings.filter(({ silent_ms }) => silent_ms < REMEMBERED_MS);
  }
}

/** Records an announcement; the latest comes last. */
function record(
  replicas: Map<string, LastAnnouncement>,
  { replica, host, pid, leaves, now }: ReplicaAnnouncement,
): void {
  replicas.delete(replica);
  if (leaves) return;
  const clock_ms = now === undefined ? undefined : now - Date.now();
  replicas.set(replica, { replica, host, pid, clock_ms, at: performance.now() });
  const [longestSilent] = replicas.keys();
  if (replicas.size > MOST_REPLICAS) replicas.delete(longestSilent!);
}
