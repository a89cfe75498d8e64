import {
  type BusUser,
  MOST_REPLICAS,
  type ProcessName,
  processes,
  type ReplicaWord,
  replicaEvent,
  timeouts,
} from '@action-platform/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import { hearEvent } from '../events.ts';

/** How long a replica that says nothing any more is remembered, in milliseconds. */
const REMEMBERED_MS = 5 * 60_000;

/** A replica that has said that it is there, and on which host as which process. */
export interface Sighting extends Pick<ReplicaWord, 'replica' | 'host' | 'pid'> {
  readonly service: ProcessName;
  /** How long ago it said so last, in milliseconds. */
  readonly silent_ms: number;
}

/** Whether a replica that says nothing for so long is not just about to: it misses the second time in a row. */
export function isSilent({ silent_ms }: Pick<Sighting, 'silent_ms'>): boolean {
  return silent_ms > 2 * timeouts.busPresence;
}

/** What a replica said of itself last, and when. */
type Heard = Pick<Sighting, 'replica' | 'host' | 'pid'> & { readonly at: number };

/** Which replicas of others have said to this connection that they are there. */
export class Attendance {
  readonly #heard = new Map<ProcessName, Map<string, Heard>>();

  /** @param told of each message as it comes. */
  constructor(nc: NatsConnection, user: BusUser, told: (service: ProcessName, word: ReplicaWord) => void) {
    for (const service of processes) {
      const event = replicaEvent(service);
      if (!event.subscribers.includes(user)) continue;
      const heard = new Map<string, Heard>();
      this.#heard.set(service, heard);
      hearEvent(nc, event, (word) => {
        note(heard, word);
        told(service, word);
      });
    }
  }

  /** Those who have been heard lately and have not left. */
  list(): Sighting[] {
    const now = performance.now();
    const sightings = [...this.#heard].flatMap(([service, heard]) =>
      [...heard.values()].map(({ at, ...said }) => ({ service, ...said, silent_ms: Math.round(now - at) })),
    );
    return sightings.filter(({ silent_ms }) => silent_ms < REMEMBERED_MS);
  }
}

/** Takes down when a replica was heard. The one that was heard last comes last. */
function note(heard: Map<string, Heard>, { replica, host, pid, leaves }: ReplicaWord): void {
  heard.delete(replica);
  if (leaves) return;
  heard.set(replica, { replica, host, pid, at: performance.now() });
  const [longestSilent] = heard.keys();
  if (heard.size > MOST_REPLICAS) heard.delete(longestSilent!);
}
