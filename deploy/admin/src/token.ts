import { addMember, listMembers } from '@action-platform/contracts/calls';
import { noSuchMember } from '@action-platform/contracts/errors';
import { issueToken, LOCAL_TOKEN_SECONDS } from '@action-platform/local';
import { z } from 'zod';
import type { Command } from './command.ts';

const input = addMember.input.pick({ workspace: true, user: true }).extend({
  expires_in: z
    .int()
    .min(1)
    .default(LOCAL_TOKEN_SECONDS)
    .meta({ description: 'How long it is valid, in seconds.' }),
  fresh: z
    .boolean()
    .default(false)
    .meta({ description: 'A token of the console, as after a sign-in of now: for decisions of a person.' }),
});

/** The command makes no call, as the platform does not issue session tokens. */
export const token: Command<typeof input> = {
  name: 'token',
  summary: "Signs a session token of a Member with the local stack's issuer.",
  input,
  run: async ({ workspace, user, expires_in, fresh }, platform) => {
    const { local } = platform;
    if (local === undefined) {
      throw new Error(
        'Tokens are signed for the local platform alone; elsewhere people sign in (docs/sign-in.md).',
      );
    }
    const { members } = await platform.call(listMembers, { workspace });
    const isMember = members.some(({ userId, state }) => userId === user && state === 'active');
    if (!isMember) throw noSuchMember(workspace, user);
    const signIn = fresh ? { authTime: Math.floor(Date.now() / 1000) } : undefined;
    return { token: await issueToken(local, { workspaceId: workspace, userId: user }, expires_in, signIn) };
  },
};
