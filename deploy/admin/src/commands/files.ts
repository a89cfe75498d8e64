import { addFile } from '@action-platform/contracts';
import type { Command } from '../command.ts';
import { operatorCall } from '../operator-call.ts';
import { required } from '../values.ts';

export const filesAdd: Command = {
  name: 'files add',
  usage: '--workspace W [--user U] --path P',
  options: { workspace: { type: 'string' }, user: { type: 'string' }, path: { type: 'string' } },
  run: async (values, tools) =>
    await operatorCall(tools, addFile, {
      workspace: required(values, 'workspace'),
      path: required(values, 'path'),
      ...(typeof values.user === 'string' ? { user: values.user } : {}),
    }),
};
