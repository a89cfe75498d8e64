import { commonConfig } from '@action-platform/service-host';
import { z } from 'zod';

/** The environment variables of the mail service. */
export const mailConfig = commonConfig.extend({
  MAIL_LOCAL_DIR: z
    .string()
    .default('.local/mail')
    .describe('Where the local mail provider keeps drafts; replicas of the service share it.'),
  MAIL_LOCAL_DRAFT_URL_BASE: z
    .url({ protocol: /^(https?|file)$/ })
    .optional()
    .describe(
      'The URL under which MAIL_LOCAL_DIR is served to those who open drafts; without it drafts have no draft_url.',
    ),
});
