import { z } from 'zod';
import { connectedApp } from '../authority/principal.ts';
import { defineMemberRoute } from '../declaration/member-route.ts';
import { exampleId } from '../ids/ids.ts';
import { emailAddress } from '../schema/email-address.ts';
import { field, pathId, userId } from '../schema/fields.ts';
import { newMailbox } from '../schema/mailbox-fields.ts';
import { text } from '../schema/text.ts';

/** The connection of an app, as its Member and the Owners see it. */
const appConnection = z.strictObject({
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

const withStopped = z.strictObject({
  connection: appConnection,
  stoppedGrants: field(z.int().min(0), 'How many grants stopped with the connection that ended.'),
});
const connection = {
  id: exampleId('connection'),
  app: 'mail_suite',
  userId: 'ada',
  provider: 'imap',
  email: 'ada@example.com',
  available: true,
};
const authorization = {
  id: exampleId('mailAuthorization'),
  authorizationUrl:
    'https://login.microsoftonline.com/4a1f7c52-2a0e-4c43-9b57-0d2f1a6f9e11/oauth2/v2.0/authorize?client_id=…',
};

const path = '/api/v1/app-connections';
const authorizations = `${path}/authorizations` as const;

/** The routes with which Members connect their own mailboxes. */
export const appConnectionRoutes = {
  list: defineMemberRoute({
    path,
    id: 'grants.list_app_connections',
    method: 'get',
    title: 'List app connections',
    description: "A Member's own, or for an Owner those of the Workspace.",
    input: z.strictObject({
      userId: field(userId.optional(), 'Only those of this Member; of another one for Owners alone.', 'mika'),
    }),
    output: z.strictObject({ connections: z.array(appConnection) }),
    answer: { description: 'The connections.', example: { connections: [connection] } },
    errors: ['owner_role_required'],
  }),
  connect: defineMemberRoute({
    path,
    id: 'grants.create_app_connection',
    method: 'post',
    title: 'Connect an app',
    description:
      "Connects the caller's own mailbox, under a fresh id; grants bound to the caller's former connection stop. The platform signs in once, and stores nothing when that fails. A repetition for an available connection, with an equal secret, answers the same connection and stops nothing.",
    input: z.strictObject({ app: field(connectedApp, 'The app.', 'mail_suite'), ...newMailbox }),
    example: { host: 'imap.example.com', secret: 'an app password' },
    output: withStopped,
    answer: { status: 201, description: 'The connection.', example: { connection, stoppedGrants: 0 } },
    targets: (_input, result) => [result?.connection.id],
  }),
  // Before the routes of one connection, whose path would take it for an id.
  authorize: defineMemberRoute({
    path: authorizations,
    id: 'grants.begin_authorization',
    method: 'post',
    title: 'Begin a sign-in at Microsoft 365',
    description:
      'Open authorizationUrl in a browser: the Member signs in there, and comes back to /console/connected. The latest sign-in of a Member counts.',
    input: z.strictObject({
      email: field(
        emailAddress.optional(),
        'The address of the mailbox, if it differs from the user name at Microsoft 365.',
        'ada@example.com',
      ),
    }),
    example: { email: 'ada@example.com' },
    output: z.strictObject({
      id: z.string(),
      authorizationUrl: field(z.string(), 'Where the Member signs in, within ten minutes.'),
    }),
    answer: { status: 201, description: 'The sign-in.', example: authorization },
    targets: (_input, result) => [result?.id],
  }),
  complete: defineMemberRoute({
    path: `${authorizations}/{id}`,
    id: 'grants.complete_authorization',
    method: 'post',
    title: 'Complete a sign-in at Microsoft 365',
    description: 'Connects the mailbox of the person who signed in. Each sign-in counts once.',
    input: z.strictObject({
      id: pathId('The id of a sign-in that has begun.', 'mailAuthorization'),
      code: field(text({ min: 1, max: 16_384 }), 'The parameter code of the redirect.', '1.AXkAq…'),
      state: field(text({ min: 1, max: 200 }), 'The parameter state of the redirect.', 'mL3q8Zc0Hq1pX9'),
    }),
    output: withStopped,
    answer: {
      status: 201,
      description: 'The connection.',
      example: { connection: { ...connection, provider: 'graph' }, stoppedGrants: 0 },
    },
    targets: ({ id }, result) => [result?.connection.id, id],
  }),
  disconnect: defineMemberRoute({
    path: `${path}/{id}`,
    id: 'grants.delete_app_connection',
    method: 'delete',
    title: 'Disconnect an app',
    description:
      "Ends the caller's own connection, or for an Owner any, and deletes its password. Grants that need it stop.",
    input: z.strictObject({ id: pathId('The id of a connection.', 'connection') }),
    output: withStopped,
    answer: {
      description: 'The connection that ended.',
      example: { connection: { ...connection, available: false }, stoppedGrants: 2 },
    },
    errors: ['connection_not_found'],
  }),
};
