import { z } from 'zod';
import { processes } from '../../services/services.ts';
import { sightings, whoAnswers } from './status.ts';
import type { Survey } from './survey.ts';

/** The most Workspaces in an answer, in a metric and in a listing. */
export const BUSIEST_MAX = 20;

const many = z.int().min(0);

/** The busiest and the most refused Workspaces of a replica. */
export const workspacesSurvey = {
  subject: 'event.workspaces',
  publishers: ['admin'],
  subscribers: processes,
  body: z.object({}),
  answer: z.object({
    ...whoAnswers,
    /** The time that the figures are about. */
    seconds: z.number().positive(),
    /** The processor time of the process, and its calls of all Workspaces. */
    processor_ms: z.number().min(0),
    calls: many,
    workspaces: z
      .array(
        z.object({
          workspace_id: z.string().max(200),
          calls: many,
          /** Answered with an error. */
          refused: many,
          /** Of the bodies of requests and answers. */
          bytes: many,
        }),
      )
      .max(2 * BUSIEST_MAX),
    heard_of: sightings,
  }),
} as const satisfies Survey;

export type BusyReplica = z.output<typeof workspacesSurvey.answer>;
