import { setQuota, showQuota } from '@action-platform/contracts';
import type { Command } from '../command.ts';
import { operatorCall } from '../operator-call.ts';
import { required, wholeNumber } from '../values.ts';

export const quotaSet: Command = {
  name: 'quota set',
  usage: '--workspace W --bytes N',
  options: { workspace: { type: 'string' }, bytes: { type: 'string' } },
  run: async (values, tools) => {
    const bytes = wholeNumber(required(values, 'bytes'), 'bytes', 0);
    return await operatorCall(tools, setQuota, { workspace: required(values, 'workspace'), bytes });
  },
};

export const quotaShow: Command = {
  name: 'quota show',
  usage: '--workspace W',
  options: { workspace: { type: 'string' } },
  run: async (values, tools) =>
    await operatorCall(tools, showQuota, { workspace: required(values, 'workspace') }),
};
