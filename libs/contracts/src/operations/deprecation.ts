import { z } from 'zod';
import { timestamp } from '../schema/fields.ts';

/** That an operation will go away: since when it should not be used, when it ends, and what to use instead. */
export const deprecation = z.strictObject({
  deprecatedAt: timestamp,
  sunsetAt: timestamp,
  migration: z
    .strictObject({
      operationId: z.string().optional().meta({ description: 'The operation to use instead.' }),
      note: z.string().optional(),
    })
    .optional(),
});
export type Deprecation = z.output<typeof deprecation>;
