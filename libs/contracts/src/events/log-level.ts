import { z } from 'zod';
import { logLevels } from '../log-levels.ts';
import { processes } from '../services.ts';
import type { Event } from './event.ts';

/** The longest that a level may be set for, in seconds: nobody is there to set it back when it was forgotten. */
const LONGEST_SECONDS = 24 * 60 * 60;

const LONGEST_NAME = 256;

/** An operator wants the log of a service, all its replicas, to be at another level for some time. */
export const logLevelEvent = {
  subject: 'event.log-level',
  publishers: ['admin'],
  subscribers: processes,
  body: z.object({
    service: z.enum(processes).meta({ description: 'Whose log.' }),
    level: z.enum(logLevels).meta({ description: 'The least important lines to write.' }),
    seconds: z.int().min(1).max(LONGEST_SECONDS).meta({ description: 'For how long, in seconds.' }),
    operator: z.string().max(LONGEST_NAME).meta({ description: 'Who says that they want it.' }),
  }),
} as const satisfies Event;
