import { z } from 'zod';

/** Subjects of awaited answers, at most as many as one message may have. */
export const replySubjects = z.array(z.string().max(256)).max(256);
