import { z } from 'zod';
import { field } from '../../schema/fields.ts';
import { processes } from '../../services/services.ts';
import type { Event } from './event.ts';

/** The levels of log lines, the most important first; `silent` writes none. */
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** The longest duration of a level, in seconds: an operator may forget to reset it. */
const LONGEST_SECONDS = 24 * 60 * 60;

const LONGEST_NAME = 256;

/** Sets the log level of all replicas of a service for some time. */
export const logLevelEvent = {
  subject: 'event.log-level',
  publishers: ['admin'],
  subscribers: processes,
  body: z.object({
    service: field(z.enum(processes), 'Whose log.'),
    level: field(z.enum(logLevels), 'The least important lines to write.'),
    seconds: field(z.int().min(1).max(LONGEST_SECONDS), 'For how long, in seconds.'),
    operator: field(z.string().max(LONGEST_NAME), 'The name that the operator gives.'),
  }),
} as const satisfies Event;
