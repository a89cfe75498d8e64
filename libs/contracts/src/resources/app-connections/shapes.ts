import { z } from 'zod';
import { connectedApp } from '../../authority/principal.ts';
import { emailAddress } from '../../schema/email-address.ts';
import { field, pathId } from '../../schema/fields.ts';
import { text } from '../../schema/text.ts';
import { USER_ID_MAX_LENGTH } from '../members/shapes.ts';
import { newMailbox } from './mailbox.ts';

/** The connection of an app, as its Member and the Owners see it. */
export const appConnection = z.strictObject({
  id: z.string(),
  app: connectedApp,
  userId: field(z.string(), 'The Member who connected it.'),
  provider: field(
    z.string().nullable(),
    'The kind of its mailbox; null when an operator connected the app without one.',
  ),
  email: z.string().nullable(),
  available: field(z.boolean(), 'Whether drafts can be created in it now.'),
});
export type AppConnection = z.output<typeof appConnection>;

export const appConnectionQuery = z.strictObject({
  userId: field(
    text({ min: 1, max: USER_ID_MAX_LENGTH }).optional(),
    'Only those of this Member; of another one for Owners alone.',
    'mika',
  ),
});
export const newAppConnection = z.strictObject({
  app: field(connectedApp, 'The app.', 'mail_suite'),
  ...newMailbox,
});

export const newAuthorization = z.strictObject({
  email: field(
    emailAddress.optional(),
    'The address of the mailbox, if it differs from the user name at Microsoft 365.',
    'ada@example.com',
  ),
});
/** The input of POST /api/v1/app-connections/authorizations/{id}: what Microsoft added to the redirect address. */
export const authorizationAnswer = z.strictObject({
  id: pathId('The id of a sign-in that has begun.', 'mailAuthorization'),
  code: field(text({ min: 1, max: 16_384 }), 'The parameter code of the redirect.', '1.AXkAq…'),
  state: field(text({ min: 1, max: 200 }), 'The parameter state of the redirect.', 'mL3q8Zc0Hq1pX9'),
});
