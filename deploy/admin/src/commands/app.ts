import { addMailbox, connectApp, connectedApp, disconnectApp } from '@action-platform/contracts';
import type { Command } from '../command.ts';
import { operatorCall } from '../operator-call.ts';
import { oneOf, required } from '../values.ts';

const options = {
  workspace: { type: 'string' },
  user: { type: 'string' },
  app: { type: 'string' },
} as const;

export const appConnect: Command = {
  name: 'app connect',
  usage: '--workspace W --user U --app mail_suite --email E [--provider local]',
  options: { ...options, email: { type: 'string' }, provider: { type: 'string' } },
  run: async (values, tools) => {
    const workspace = required(values, 'workspace');
    const user = required(values, 'user');
    const app = oneOf(required(values, 'app'), 'app', connectedApp.options);
    // The mailbox comes first: until the connection is bound to the Member, nothing uses it.
    const mailbox = await operatorCall(tools, addMailbox, {
      workspace,
      user,
      email: required(values, 'email'),
      provider: String(values.provider ?? 'local'),
    });
    return await operatorCall(tools, connectApp, { workspace, user, app, connection: mailbox.connection_id });
  },
};

export const appDisconnect: Command = {
  name: 'app disconnect',
  usage: '--workspace W --user U --app mail_suite',
  options,
  run: async (values, tools) =>
    await operatorCall(tools, disconnectApp, {
      workspace: required(values, 'workspace'),
      user: required(values, 'user'),
      app: oneOf(required(values, 'app'), 'app', connectedApp.options),
    }),
};
