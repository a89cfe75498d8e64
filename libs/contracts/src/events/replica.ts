import { z } from 'zod';
import { askersOf } from '../calls/askers.ts';
import { type BusUser, type ProcessName, processes } from '../services.ts';
import type { Event } from './event.ts';
import { replySubjects } from './reply-subjects.ts';

/** Nobody asks a gateway for anything; grants hears of them so that somebody knows of one that says nothing any more. */
const whoKnowGateways: readonly BusUser[] = ['grants', 'admin'];

/** The part of the subjects of a replica that is its alone. */
export const replicaId = z.string().regex(/^[0-9A-Za-z]{1,32}$/);

/** How many replicas of a process are believed in: each costs those who call it a message now and then. */
export const MOST_REPLICAS = 64;

/** Where a process is, for those who have to look after it when it says nothing any more. */
export const whereabouts = { host: z.string().max(255).optional(), pid: z.int().optional() };

const word = z.object({
  replica: replicaId,
  ...whereabouts,
  /** It takes questions that come together, in packs. */
  packs: z.boolean().optional(),
  /** It has answered everything that it was asked. */
  leaves: z.boolean().optional(),
  /** Its connection was broken: questions that were sent to it meanwhile may have come to nobody. */
  returns: z.boolean().optional(),
  /** Its answers that are wanted on these subjects may not have arrived: whoever still waits asks it for them. */
  owes: replySubjects.optional(),
});

/** What a replica says of itself. */
export type ReplicaWord = z.output<typeof word>;

/**
 * A replica of a process is there, or leaves. It says so when it joins the bus and again every few seconds, so that those who
 * ask it know whom to look for when an answer is missing.
 */
export function replicaEvent(name: ProcessName) {
  return {
    subject: `event.replica.${name}`,
    publishers: [name],
    subscribers: name === 'gateway' ? whoKnowGateways : askersOf(name),
    body: word,
  } as const satisfies Event;
}

export const replicaEvents: readonly Event[] = processes.map(replicaEvent);
