import type { z } from 'zod';
import type { Event } from './event.ts';

/** An event that is a question: every replica that hears it answers for itself. */
export interface Survey<Answer extends z.ZodObject = z.ZodObject> extends Event {
  readonly answer: Answer;
}
