import { setTimeout as delay } from 'node:timers/promises';
import { connectApp, disconnectApp, keepMailbox, removeMember } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { memberKey } from '../members/stored-member.ts';
import { KNOWN_PROVIDER, testAuthority } from '../test-support/test-authority.ts';

const authority = testAuthority();
/** What mail was told of the mailbox of each user. */
const told = new Map<string, (string | undefined)[]>();
let mailAnswers = true;
beforeAll(() =>
  authority.platform.answer(keepMailbox, ({ userId, connectionId }) => {
    if (!mailAnswers) return new ActionError('action_platform_unavailable');
    told.set(userId, [...(told.get(userId) ?? []), connectionId]);
    return {};
  }),
);
beforeEach(() => {
  mailAnswers = true;
});

async function connected() {
  const owner = await authority.member({ role: 'owner' });
  const { workspaceId: workspace, userId: user } = await authority.member({ workspace: owner.workspaceId });
  const connect = () =>
    authority.admin(connectApp, {
      ...{ workspace, user, app: 'mail_suite', email: 'a@example.com', provider: KNOWN_PROVIDER },
    });
  await connect();
  const marked = async () => {
    const { members } = await authority.collections();
    const found = await members.findOne({ _id: memberKey(workspace, user) });
    return found?.mailbox_changed_at !== undefined;
  };
  return { workspace, user, connect, marked };
}

type Changed = Awaited<ReturnType<typeof connected>>;
const changes: Record<string, (of: Changed) => Promise<unknown>> = {
  'a removed Member': ({ workspace, user }) => authority.admin(removeMember, { workspace, user }),
  'an app that is disconnected': ({ workspace, user }) =>
    authority.admin(disconnectApp, { workspace, user, app: 'mail_suite' }),
  'an app that is connected again': ({ connect }) => connect(),
};

test.each(Object.entries(changes))(
  '%s is marked until mail knows it, also when mail was away',
  async (_what, change) => {
    const of = await connected();
    expect(await of.marked()).toBe(false);
    mailAnswers = false;
    const before = told.get(of.user)!.length;
    await change(of);
    expect(await of.marked()).toBe(true);
    mailAnswers = true;
    while (await of.marked()) await delay(50);
    const { members } = await authority.collections();
    const { connections } = (await members.findOne({ _id: memberKey(of.workspace, of.user) }))!;
    expect(told.get(of.user)!.slice(before)).toEqual([connections.mail_suite]);
  },
  60_000,
);
