import { z } from 'zod';
import { processes } from '../../services/services.ts';
import type { Event } from './event.ts';

/** The most traces in one message; subscribers ignore a message with more. */
export const TRACES_IN_A_MESSAGE = 100;

/**
 * Names traces to keep, because a request of each failed or was slow. Every process exports their spans that it still buffers.
 * Delivery is best-effort: a lost message leaves an incomplete trace.
 */
export const telemetryKeepEvent = {
  subject: 'event.telemetry.keep',
  publishers: processes,
  subscribers: processes,
  body: z.object({ trace_ids: z.array(z.string().regex(/^[0-9a-f]{32}$/)).max(TRACES_IN_A_MESSAGE) }),
} as const satisfies Event;
