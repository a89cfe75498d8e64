import { issueToken, LOCAL_TOKEN_SECONDS } from '@action-platform/local';
import type { Command } from '../command.ts';
import { required, wholeNumber } from '../values.ts';

export const token: Command = {
  name: 'token',
  usage: '--workspace W --user U [--expires-in SECONDS]',
  options: { workspace: { type: 'string' }, user: { type: 'string' }, 'expires-in': { type: 'string' } },
  run: async (values, { directory }) => {
    const seconds = wholeNumber(String(values['expires-in'] ?? LOCAL_TOKEN_SECONDS), 'expires-in', 1);
    const member = { workspaceId: required(values, 'workspace'), userId: required(values, 'user') };
    return { token: await issueToken(directory, member, seconds) };
  },
};
