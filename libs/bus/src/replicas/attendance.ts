import {
  type BusUser,
  type ProcessName,
  processes,
  replicaEvent,
  timeouts,
} from '@action-platform/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import type { z } from 'zod';
import { parsed } from '../parsed.ts';

/** How long a replica that says nothing any more is remembered, in milliseconds. */
const REMEMBERED_MS = 5 * 60_000;
/** How many replicas are remembered at most: more cannot be meant. */
const MOST_REPLICAS = 1_000;

/** A replica that has said that it is there. */
export interface Sighting {
  readonly service: ProcessName;
  readonly replica: string;
  /** How long ago it said so last, in milliseconds. */
  readonly silent_ms: number;
}

/** Whether a replica that says nothing for so long is not just about to: it misses the second time in a row. */
export function isSilent({ silent_ms }: Pick<Sighting, 'silent_ms'>): boolean {
  return silent_ms > 2 * timeouts.busPresence;
}

/** Told of what a replica says of itself. */
type Told = (service: ProcessName, said: z.output<ReturnType<typeof replicaEvent>['body']>) => void;

/** Which replicas of others have said to this connection that they are there. */
export class Attendance {
  /** The one that was heard last comes last. */
  readonly #heard = new Map<string, Omit<Sighting, 'silent_ms'> & { readonly at: number }>();

  /** @param told of each message as it comes. */
  constructor(nc: NatsConnection, user: BusUser, told: Told) {
    for (const service of processes) {
      const { subject, body, subscribers } = replicaEvent(service);
      if (!subscribers.includes(user)) continue;
      nc.subscribe(subject, {
        callback: (error, { data }) => {
          const said = error === null ? body.safeParse(parsed(data)).data : undefined;
          if (said === undefined) return;
          this.#note(service, said.replica, said.leaves === true);
          told(service, said);
        },
      });
    }
  }

  /** Those who have been heard lately and have not left. */
  list(): Sighting[] {
    const now = performance.now();
    return [...this.#heard.values()]
      .map(({ at, ...who }) => ({ ...who, silent_ms: Math.round(now - at) }))
      .filter(({ silent_ms }) => silent_ms < REMEMBERED_MS);
  }

  #note(service: ProcessName, replica: string, leaves: boolean): void {
    const name = `${service} ${replica}`;
    this.#heard.delete(name);
    if (leaves) return;
    this.#heard.set(name, { service, replica, at: performance.now() });
    const [longestSilent] = this.#heard.keys();
    if (this.#heard.size > MOST_REPLICAS) this.#heard.delete(longestSilent!);
  }
}
