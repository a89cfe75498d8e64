import { z } from 'zod';
import { processes } from '../services.ts';
import { MOST_REPLICAS, replicaId, whereabouts } from './replica.ts';
import type { Survey } from './survey.ts';

/** The most replicas that one of them tells of. */
const MOST_SIGHTINGS = MOST_REPLICAS * processes.length;

const milliseconds = z.number().min(0);
const service = z.enum(processes);

/** The state of every replica. Replicas that do not answer are in the `heard_of` of others. */
export const statusSurvey = {
  subject: 'event.status',
  publishers: ['admin'],
  subscribers: processes,
  body: z.object({}),
  answer: z.object({
    service,
    replica: replicaId,
    version: z.string().max(100),
    host: z.string().max(255),
    pid: z.int(),
    started_at: z.iso.datetime(),
    /** `ok`, or what it is in. */
    state: z.enum(['ok', 'starting', 'not ready', 'stopping']),
    /** What it does not have: its bus, its database, other services. */
    missing: z.array(z.string().max(100)).max(100),
    /** How many calls or requests it has taken on and not answered. */
    in_flight: z.int().min(0),
    /** What it answered lately. */
    recent: z.object({
      seconds: z.number().positive(),
      answered: z.int().min(0),
      /** Answered with a failure of the platform's (5xx). */
      failed: z.int().min(0),
      p50_ms: milliseconds.nullable(),
      p99_ms: milliseconds.nullable(),
    }),
    /** How long the bus takes to answer it. */
    bus_ms: milliseconds.nullable(),
    /** How long its database takes; null when that does not answer, left out when it has none. */
    database_ms: milliseconds.nullable().optional(),
    /** The replicas of others that it has heard of lately and that have not said that they leave. */
    heard_of: z
      .array(z.object({ service, replica: replicaId, ...whereabouts, silent_ms: milliseconds }))
      .max(MOST_SIGHTINGS),
  }),
} as const satisfies Survey;

export type ReplicaStatus = z.output<typeof statusSurvey.answer>;
