import type { z } from 'zod';
import type { ProcessName } from '../../services/services.ts';
import type { Event } from './event.ts';

/** A request of an operator to every replica; each replica answers for itself. */
export interface Survey<Answer extends SurveyAnswer = SurveyAnswer, Body extends z.ZodObject = z.ZodObject>
  extends Event<Body> {
  /** The processes whose replicas answer. */
  readonly subscribers: readonly ProcessName[];
  readonly answer: Answer;
}

/** An answer names the process that gives it. */
export type SurveyAnswer = z.ZodObject<{ service: z.ZodType<ProcessName> }>;

/**
 * The survey's event for the replicas of one process. Only these replicas receive it, so the NATS server permits no other process to answer
 * for them (`allow_responses`).
 */
export function surveyEvent({ subject, publishers, body }: Survey, service: ProcessName): Event {
  return { subject: `${subject}.${service}`, publishers, subscribers: [service], body };
}
