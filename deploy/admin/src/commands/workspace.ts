import { createWorkspace } from '@action-platform/contracts';
import type { Command } from '../command.ts';
import { operatorCall } from '../operator-call.ts';
import { required } from '../values.ts';

export const workspaceCreate: Command = {
  name: 'workspace create',
  usage: '--name N',
  options: { name: { type: 'string' } },
  run: async (values, tools) =>
    await operatorCall(tools, createWorkspace, { name: required(values, 'name') }),
};
