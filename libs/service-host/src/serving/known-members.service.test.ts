import { addSender, knownMembers, setQuota } from '@action-platform/contracts/calls';
import { CALL_INPUT_MAX_BYTES } from '@action-platform/contracts/limits';
import { expect, test } from '@jest/globals';
import { serviceOf, serving } from '../test-support/serving.ts';
import { serveCall } from './serve.ts';

const done: object[] = [];

/** Two operators' calls of the registry, and a grants service that knows one Workspace with one Member. */
const mail = serviceOf('mail', [
  serveCall(addSender, async (input) => {
    done.push(input);
    const { email, display_name: displayName, member: members, everyone, interactive, scheduled } = input;
    const uses = { members, everyone, interactive, scheduled };
    return {
      sender: {
        senderId: 'snd_1',
        type: 'shared_mailbox' as const,
        email,
        displayName,
        ...uses,
        available: true,
      },
    };
  }),
]);
const recordStore = serviceOf('record-store', [
  serveCall(setQuota, async (input) => {
    done.push(input);
    return { quota: input.bytes };
  }),
]);
const grants = serviceOf('grants', [
  serveCall(knownMembers, async ({ workspace, users }) => ({
    isWorkspace: workspace === 'ws_1',
    members: users.filter((user) => user === 'ada'),
  })),
]);

const platform = serving([grants, mail, recordStore]);

test("an operator's call for an unknown Workspace or user is refused before it begins", async () => {
  const unknown = { code: 'invalid_request', message: expect.stringContaining('ws_2') };
  const quota = (workspace: string) => platform.callAs('admin', setQuota, { workspace, bytes: 1 });
  await expect(quota('ws_2')).rejects.toMatchObject(unknown);
  const share = (member: string[]) =>
    platform.callAs('admin', addSender, {
      ...{ workspace: 'ws_1', email: 'team@example.com', display_name: 'Team' },
      member,
    });
  await expect(share(['ada', 'eve'])).rejects.toMatchObject({
    code: 'member_not_found',
    message: expect.stringMatching(/^member: "eve"/),
  });
  expect(done).toEqual([]);
  await quota('ws_1');
  await share(['ada']);
  expect(done).toHaveLength(2);
});

test('an input beyond the limit of calls between services is refused unread', async () => {
  const users = ['x'.repeat(CALL_INPUT_MAX_BYTES)];
  const call = platform.callAs('mail', knownMembers, { workspace: 'ws_1', users });
  await expect(call).rejects.toMatchObject({ code: 'request_body_too_large' });
});
