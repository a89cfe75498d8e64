import { addSender } from '@action-platform/contracts';
import type { Command } from '../command.ts';
import { operatorCall } from '../operator-call.ts';
import { required } from '../values.ts';

export const senderAdd: Command = {
  name: 'sender add',
  usage: '--workspace W --email E --display-name D [--member U]… [--interactive] [--scheduled]',
  options: {
    workspace: { type: 'string' },
    email: { type: 'string' },
    'display-name': { type: 'string' },
    member: { type: 'string', multiple: true },
    interactive: { type: 'boolean' },
    scheduled: { type: 'boolean' },
  },
  run: async (values, tools) =>
    await operatorCall(tools, addSender, {
      workspace: required(values, 'workspace'),
      email: required(values, 'email'),
      display_name: required(values, 'display-name'),
      members: [values.member ?? []].flat().map(String),
      interactive: values.interactive === true,
      scheduled: values.scheduled === true,
    }),
};
