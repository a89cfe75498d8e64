import { z } from 'zod';

/** Subjects on which answers are wanted, as many as a message tells of at most. */
export const replySubjects = z.array(z.string().max(256)).max(256);
