import { z } from 'zod';
import { connectedApp } from '../../authority/principal.ts';
import { emailAddress } from '../../schema/email-address.ts';
import { pathId } from '../../schema/fields.ts';
import { text } from '../../schema/text.ts';
import { USER_ID_MAX_LENGTH } from '../members/shapes.ts';
import { newMailbox } from './mailbox.ts';

/** The connection of an app, as its Member and the Owners see it. */
export const appConnection = z.strictObject({
  id: z.string(),
  app: connectedApp,
  userId: z.string().meta({ description: 'The Member who connected it.' }),
  provider: z.string().nullable().meta({
    description: 'The kind of its mailbox; null when an operator connected the app without one.',
  }),
  email: z.string().nullable(),
  available: z.boolean().meta({ description: 'Whether drafts can be created in it now.' }),
});
export type AppConnection = z.output<typeof appConnection>;

/** The query of GET /api/v1/app-connections. */
export const appConnectionQuery = z.strictObject({
  userId: text({ min: 1, max: USER_ID_MAX_LENGTH })
    .optional()
    .meta({
      description: 'Only those of this Member; of another one for Owners alone.',
      examples: ['mika'],
    }),
});
export const newAppConnection = z.strictObject({
  app: connectedApp.meta({ description: 'The app.', examples: ['mail_suite'] }),
  ...newMailbox,
});

/** The input of POST /api/v1/app-connections/authorizations. */
export const newAuthorization = z.strictObject({
  email: emailAddress.optional().meta({
    description: 'The address of the mailbox, if it differs from the user name at Microsoft 365.',
    examples: ['ada@example.com'],
  }),
});
/** The input of POST /api/v1/app-connections/authorizations/{id}: what Microsoft added to the redirect address. */
export const authorizationAnswer = z.strictObject({
  id: pathId('The id of a sign-in that has begun.', 'mailAuthorization'),
  code: text({ min: 1, max: 16_384 }).meta({
    description: 'The parameter code of the redirect.',
    examples: ['1.AXkAq…'],
  }),
  state: text({ min: 1, max: 200 }).meta({
    description: 'The parameter state of the redirect.',
    examples: ['mL3q8Zc0Hq1pX9'],
  }),
});
