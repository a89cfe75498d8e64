import { commonConfig } from '@action-platform/service-host';
import { z } from 'zod';

/** The environment variables of the knowledge service. */
export const knowledgeConfig = commonConfig.extend({
  FILES_DIR: z
    .string()
    .optional()
    .describe('The folder whose files are listed, laid out as below; without it no folder is.'),
  FILES_RESCAN_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(86_400)
    .default(60)
    .describe('How long to rest between two passes over all of FILES_DIR, in seconds.'),
});
