/*
 * How a caller learns that the replica is gone which took its question.
 *
 * Of a question that nobody takes the NATS server says so at once. Of one that was taken it says nothing when its taker dies, and
 * nobody but the taker knows that it was. So:
 *
 * 1. A replica has a subject of its own, and tells those who ask its service that it is there (`presence.ts`).
 * 2. When an answer is missing for a tenth of a second, the caller knocks at the replicas of that service that it knows: an empty message
 *    to the subject of each. Who is there leaves it alone. In place of one that is gone the NATS server says
 *    that nobody hears it. Calls that are answered soon cost nothing of this.
 * 3. Then the caller calls the roll (`roll-call.ts`): it asks the other replicas which of its open questions they have. A message
 *    overtakes none of the same sender, so who does not have a question by then was never given it, and who has answered it has
 *    answered it before. What none of them has, the one that is gone took along.
 * 4. Such a question ends as one whose connection broke: a read is asked again, the outcome of a write is unknown.
 *
 * A replica whose own connection broke is back before anybody knocks, but what was sent to it meanwhile has come to nobody, and it has ended
 * what it was sending. It says that it returns, and the roll is called as well.
 *
 * And a NATS server may not know yet that another hangs, and give it a question whose replicas have all gone elsewhere and said so. So the
 * roll is also called when an answer is missing for long.
 *
 * A replica that leaves in good order says that it has answered everything, and nobody calls the roll for it. One that hangs keeps its
 * connection, until the NATS server gives it up (`timeouts.busPingInterval`); then it is gone, too. A new one has said that it is there
 * before it takes anything. What goes wrong all the same, because a message about replicas is lost or late, is only this: a question waits
 * for its deadline, or one is given up that was not lost. What its caller is told is true of both.
 */
import {
  isService,
  MOST_REPLICAS,
  type ProcessName,
  type ReplicaWord,
  replicaSubject,
  type ServiceName,
  timeouts,
} from '@action-platform/contracts';
import { gauge } from '@action-platform/telemetry';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Inbox, Receiver } from '../inbox.ts';
import { type Incoming, saysNobodyIsThere } from '../incoming.ts';
import { callRoll } from './roll-call.ts';

/** How long an answer is missing when the roll is called, and how often it is called then, in milliseconds. */
const LATE_MS = 1_000;

interface Replica {
  readonly service: ServiceName;
  readonly id: string;
  readonly takesPacks: boolean;
  /** Where the NATS server says that it is gone. */
  readonly knocks: string;
}

/** The replicas that a connection asks, and what becomes of its questions when one is gone. */
export class Replicas {
  readonly #nc: NatsConnection;
  readonly #inbox: Inbox;
  readonly #known = new Map<ServiceName, Map<string, Replica>>();
  readonly #timer: NodeJS.Timeout;
  /** Since when it hears who is there. */
  readonly #hearsSince = performance.now();
  /** The last roll of each service that was called for what is late. */
  readonly #late = new Map<ServiceName, { readonly calledAt: number; readonly end: () => void }>();

  /** @param asked the services that this connection may ask. */
  constructor(nc: NatsConnection, inbox: Inbox, asked: readonly ServiceName[]) {
    this.#nc = nc;
    this.#inbox = inbox;
    for (const service of asked) {
      const known = new Map<string, Replica>();
      this.#known.set(service, known);
      gauge('bus.replicas', () => known.size, { service });
    }
    this.#timer = setInterval(() => this.#look(), timeouts.busLook).unref();
  }

  /** Looks for none any more. */
  stop(): void {
    clearInterval(this.#timer);
  }

  /** Whether every replica of a service takes packs, of those that are known, which is one at least. */
  takePacks(service: ServiceName): boolean {
    const known = this.#known.get(service);
    if (known === undefined || known.size === 0) return false;
    return known.values().every(({ takesPacks }) => takesPacks);
  }

  /** A replica says that it is there, or leaves, or which answers it owes. */
  hear(service: ProcessName, { replica: id, packs = false, leaves, returns, owes }: ReplicaWord): void {
    // A gateway is asked for nothing.
    if (!isService(service)) return;
    const known = this.#known.get(service);
    if (known === undefined) return;
    if (leaves) this.#forget(known.get(id));
    else if (!known.has(id) && known.size < MOST_REPLICAS) known.set(id, this.#meet(service, id, packs));
    // It answers what it owes before it answers to the roll, as it is asked for that first.
    if (owes !== undefined) this.#askForOwed(replicaSubject(service, id), service, new Set(owes));
    if (returns) this.#lost(service, id);
  }

  /** Those who still wait for what a replica owes ask it for that. */
  #askForOwed(replica: string, service: ServiceName, owed: ReadonlySet<string>): void {
    for (const receiver of this.#waiting(service)) {
      const reply = receiver.asked?.find((asked) => owed.has(asked));
      if (reply !== undefined) receiver.owed?.(replica, reply);
    }
  }

  #meet(service: ServiceName, id: string, takesPacks: boolean): Replica {
    const receiver: Receiver = {
      receive: (message: Incoming) => {
        if (saysNobodyIsThere(message)) this.#gone(replica);
      },
      lost: () => {},
    };
    const replica = { service, id, takesPacks, knocks: this.#inbox.open(receiver) };
    return replica;
  }

  #forget(replica: Replica | undefined): boolean {
    if (replica === undefined) return false;
    this.#inbox.close(replica.knocks);
    return this.#known.get(replica.service)!.delete(replica.id);
  }

  /** Knocks at the replicas of every service that owes an answer, and calls the roll of those that do for long. */
  #look(): void {
    if (!this.#inbox.connected) return;
    const now = performance.now();
    const owingSince = new Map<ServiceName | undefined, number>();
    for (const { waitsSince = now, service } of this.#inbox.receivers()) {
      if (waitsSince < (owingSince.get(service) ?? now - timeouts.busLook))
        owingSince.set(service, waitsSince);
    }
    for (const [service, replicas] of this.#known) {
      const since = owingSince.get(service);
      if (since === undefined) continue;
      for (const { id, knocks } of replicas.values()) {
        this.#nc.publish(replicaSubject(service, id), undefined, { reply: knocks });
      }
      if (since < now - LATE_MS) this.#callLate(service, now);
    }
  }

  #callLate(service: ServiceName, now: number): void {
    const { size } = this.#known.get(service)!;
    // A replica that is not known may have the question.
    const areAllKnown = size > 0 && size < MOST_REPLICAS && this.#hearsSince < now - 2 * timeouts.busPresence;
    const last = this.#late.get(service);
    if (!areAllKnown || (last !== undefined && last.calledAt > now - LATE_MS)) return;
    // Who has not answered by now may not have been asked.
    last?.end();
    this.#late.set(service, { calledAt: now, end: this.#callRoll(service) });
  }

  #gone(replica: Replica): void {
    if (this.#forget(replica)) this.#lost(replica.service, replica.id);
  }

  /** The connection of a replica is gone, or was: what it was sending breaks off, and what was sent to it may have come to nobody. */
  #lost(service: ServiceName, id: string): void {
    for (const receiver of this.#waiting(service)) {
      if (receiver.sender === id) receiver.replicaGone?.();
    }
    this.#callRoll(service);
  }

  /** Finds out which questions none of the replicas of a service has that are there. @returns what ends that */
  #callRoll(service: ServiceName): () => void {
    const asked = new Map<string, Receiver>();
    for (const receiver of this.#waiting(service)) {
      for (const reply of receiver.asked ?? []) asked.set(reply, receiver);
    }
    const replicas = [...this.#known.get(service)!.keys()].map((id) => replicaSubject(service, id));
    return callRoll(this.#nc, this.#inbox, asked, replicas);
  }

  #waiting(service: ServiceName): Receiver[] {
    const waits = (each: Receiver) => each.waitsSince !== undefined && each.service === service;
    return [...this.#inbox.receivers()].filter(waits);
  }
}
