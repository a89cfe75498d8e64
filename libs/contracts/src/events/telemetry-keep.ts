import { z } from 'zod';
import { processes } from '../services.ts';
import type { Event } from './event.ts';

/** The most traces that one message names: one that names more is left alone. */
export const TRACES_IN_A_MESSAGE = 100;

/**
 * These traces are worth keeping: a request of each has failed, or was slow. Every process exports what it still holds of
 * them. Nothing rests on it: a message that is lost leaves a trace that is not whole.
 */
export const telemetryKeepEvent = {
  subject: 'event.telemetry.keep',
  publishers: processes,
  subscribers: processes,
  body: z.object({ trace_ids: z.array(z.string().regex(/^[0-9a-f]{32}$/)).max(TRACES_IN_A_MESSAGE) }),
} as const satisfies Event;
