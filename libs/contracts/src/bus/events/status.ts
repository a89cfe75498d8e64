import { z } from 'zod';
import { processes } from '../../services/services.ts';
import { MOST_REPLICAS, replicaId, whereabouts } from './replica.ts';
import type { Survey } from './survey.ts';

/** The most replicas of others in one answer. */
const MOST_SIGHTINGS = MOST_REPLICAS * processes.length;

const milliseconds = z.number().min(0);
const service = z.enum(processes);

/** The replica that answers a survey. */
export const whoAnswers = { service, replica: replicaId, host: z.string().max(255), pid: z.int() };

/** The replicas of other processes whose announcements it received recently, without those that announced their leave. */
export const sightings = z
  .array(
    z.object({
      service,
      replica: replicaId,
      ...whereabouts,
      silent_ms: milliseconds,
      /** By how much its clock is ahead of the teller's. */
      clock_ms: z.number().optional(),
    }),
  )
  .max(MOST_SIGHTINGS);

/** The state of every replica. Replicas that do not answer are in the `heard_of` of others. */
export const statusSurvey = {
  subject: 'event.status',
  publishers: ['admin'],
  subscribers: processes,
  body: z.object({}),
  answer: z.object({
    ...whoAnswers,
    version: z.string().max(100),
    started_at: z.iso.datetime(),
    /** Its state: `ok`, or a reason why it is not ready. */
    state: z.enum(['ok', 'starting', 'not ready', 'stopping']),
    /** Its missing dependencies: the bus, its database, other services. */
    missing: z.array(z.string().max(100)).max(100),
    in_flight: z.int().min(0),
    recent: z.object({
      seconds: z.number().positive(),
      answered: z.int().min(0),
      /** Answered with a failure of the platform's (5xx). */
      failed: z.int().min(0),
      p50_ms: milliseconds.nullable(),
      p99_ms: milliseconds.nullable(),
    }),
    bus_ms: milliseconds.nullable(),
    /** The round trip to its database; null without an answer, absent without a database. */
    database_ms: milliseconds.nullable().optional(),
    heard_of: sightings,
  }),
} as const satisfies Survey;

export type ReplicaStatus = z.output<typeof statusSurvey.answer>;
