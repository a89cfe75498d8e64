import {
  type BusUser,
  MOST_REPLICAS,
  type ProcessName,
  processes,
  type ReplicaAnnouncement,
  replicaEvent,
  timeouts,
} from '@action-platform/contracts';
import type { Connection } from '../connection.ts';
import { subscribeToEvent } from '../events.ts';

/** How long a silent replica is remembered, in milliseconds. */
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
type Heard = Pick<Sighting, 'replica' | 'host' | 'pid' | 'clock_ms'> & { readonly at: number };

/** The replicas that announced themselves to this connection. */
export class ReplicaMembership {
  readonly #heard = new Map<ProcessName, Map<string, Heard>>();

  /** @param onAnnouncement called with each announcement. */
  constructor(
    connection: Connection,
    user: BusUser,
    onAnnouncement: (service: ProcessName, announcement: ReplicaAnnouncement) => void,
  ) {
    for (const service of processes) {
      const event = replicaEvent(service);
      if (!event.subscribers.includes(user)) continue;
      const heard = new Map<string, Heard>();
      this.#heard.set(service, heard);
      subscribeToEvent(connection, event, (announcement) => {
        note(heard, announcement);
        onAnnouncement(service, announcement);
      });
    }
  }

  /** The largest difference between the clock of this process and those of the replicas that are not silent, in milliseconds. */
  clockDifference(): number {
    const heard = this.list().filter((each) => !isSilent(each));
    return Math.max(0, ...heard.map(({ clock_ms = 0 }) => Math.abs(clock_ms)));
  }

  /** The replicas heard lately that have not left. */
  list(): Sighting[] {
    const now = performance.now();
    const sightings = [...this.#heard].flatMap(([service, heard]) =>
      [...heard.values()].map(({ at, ...said }) => ({ service, ...said, silent_ms: Math.round(now - at) })),
    );
    return sightings.filter(({ silent_ms }) => silent_ms < REMEMBERED_MS);
  }
}

/** Records an announcement; the latest comes last. */
function note(heard: Map<string, Heard>, { replica, host, pid, leaves, now }: ReplicaAnnouncement): void {
  heard.delete(replica);
  if (leaves) return;
  const clock_ms = now === undefined ? undefined : now - Date.now();
  heard.set(replica, { replica, host, pid, clock_ms, at: performance.now() });
  const [longestSilent] = heard.keys();
  if (heard.size > MOST_REPLICAS) heard.delete(longestSilent!);
}
