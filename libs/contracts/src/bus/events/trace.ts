import { z } from 'zod';
import { processes } from '../../services/services.ts';
import { sightings, whoAnswers } from './status.ts';
import type { Survey } from './survey.ts';

/** The most spans and log lines of one answer, and the most bytes of both: an answer is one message. */
export const traceAnswerLimits = { spans: 500, lines: 100, bytes: 64 * 1024 } as const;

const text = z.string().max(1_024);

const span = z.object({
  trace_id: text,
  span_id: text,
  /** The empty string for the root of a trace. */
  parent_span_id: text,
  name: text,
  /** Milliseconds since the epoch, by the clock of its host. */
  started_at: z.number(),
  ended_at: z.number(),
  is_error: z.boolean(),
  attributes: z.record(text, z.union([text, z.number(), z.boolean()])),
  /** The ids of the spans that it links. */
  links: z.array(text).max(1_024),
});

/** A stored span, as a replica answers with it. */
export type StoredSpan = z.output<typeof span>;

/**
 * The stored spans and log lines of a request. `trace` asks for those of a trace id, with `request` for those of one request in the trace.
 * The other values of `find` ask each replica for one span by which the request can be found: a request with an id that its caller chose,
 * the last one that failed, or the slowest.
 */
export const traceSurvey = {
  subject: 'event.trace',
  publishers: ['admin'],
  subscribers: processes,
  body: z.object({
    find: z.enum(['trace', 'request', 'last-error', 'slowest']),
    id: z.string().max(256),
    request: z.string().max(256).optional(),
  }),
  answer: z.object({
    ...whoAnswers,
    /** When its process started, in milliseconds since the epoch. */
    started_at: z.number().optional(),
    heard_of: sightings,
    spans: z.array(span).max(traceAnswerLimits.spans),
    /** The lines of its log with the id. */
    lines: z.array(z.record(text, z.unknown())).max(traceAnswerLimits.lines),
    /** Whether the replica has more of them than an answer may have. */
    is_cut: z.boolean(),
  }),
} as const satisfies Survey;

export type TraceQuestion = z.output<typeof traceSurvey.body>;
export type TraceAnswer = z.output<typeof traceSurvey.answer>;
