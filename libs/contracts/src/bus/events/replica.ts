import { z } from 'zod';
import { callersOf } from '../../calls/all-calls.ts';
import type { BusUser, ProcessName } from '../../services/services.ts';
import { replySubjects } from './cancelled.ts';
import type { Event } from './event.ts';

/** No process calls a gateway; grants receives its announcements, to report a gateway that hangs. */
const observersOfGateways: readonly BusUser[] = ['grants', 'admin'];

/** The part of its subjects that identifies a replica. */
export const replicaId = z.string().regex(/^[0-9A-Za-z]{1,32}$/);

/** The most replicas of a process that its callers track; each replica costs them messages. */
export const MOST_REPLICAS = 64;

/** The host of a process, for the operator of one that hangs. */
export const whereabouts = { host: z.string().max(255).optional(), pid: z.int().optional() };

const announcement = z.object({
  replica: replicaId,
  ...whereabouts,
  /** The time of its clock, in milliseconds since the epoch. */
  now: z.number().optional(),
  /** The replica stops, and has answered every request. */
  leaves: z.boolean().optional(),
  /** Its connection was interrupted: requests sent to it meanwhile may be lost. */
  returns: z.boolean().optional(),
  /** Reply subjects of answers that may not have arrived: a caller that still waits requests their redelivery. */
  recentAnswers: replySubjects.optional(),
});

export type ReplicaAnnouncement = z.output<typeof announcement>;

/**
 * The announcements of a replica: when it joins the bus, every few seconds, and when it leaves. Its callers then know
 * which replicas to probe when an answer is missing.
 */
export function replicaEvent(name: ProcessName) {
  return {
    subject: `event.replica.${name}`,
    publishers: [name],
    subscribers: name === 'gateway' ? observersOfGateways : callersOf(name),
    body: announcement,
  } as const satisfies Event;
}
