import { addMailbox, findSenders, type Principal } from '@action-platform/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestMail } from '../test-support/test-mail.ts';

const mail = new TestMail();
beforeAll(() => mail.start());
afterAll(() => mail.stop());

const mailbox = { workspaceId: 'ws_1', userId: 'ada', email: 'ada@example.com', provider: 'local' };

describe('mail.add_mailbox', () => {
  test('gives every mailbox a connection id of its own', async () => {
    const ids = await Promise.all([1, 2].map(() => mail.platform.callAs('grants', addMailbox, mailbox)));
    for (const { connectionId } of ids) expect(connectionId).toMatch(/^con_[0-9a-f]{32}$/);
    expect(ids[0]).not.toEqual(ids[1]);
  });

  test('refuses a malformed address', async () => {
    const adding = mail.platform.callAs('grants', addMailbox, {
      ...mailbox,
      email: 'ada@example.com\r\nX: y',
    });
    await expect(adding).rejects.toThrow(/^email: /);
  });
});

describe('mail.find_senders', () => {
  test('finds the ids of senders that the Member sees', async () => {
    const member = await mail.member();
    const elsewhere = await mail.member();
    const own = await mail.ownSender(member);
    const shared = await mail.share(member.workspaceId);
    const hidden = await mail.share(member.workspaceId, {
      email: 'hidden@example.com',
      member: ['somebody'],
    });
    const ids = [
      shared,
      'snd_none',
      hidden,
      own,
      await mail.ownSender(elsewhere),
      await mail.share(elsewhere.workspaceId),
    ];
    const find = async ({ workspaceId, userId, connections }: Principal, asked = ids) => {
      const connectionId = connections.mail_suite;
      const input = {
        workspaceId,
        userId,
        ids: asked,
        ...(connectionId === undefined ? {} : { connectionId }),
      };
      return (await mail.platform.callAs('grants', findSenders, input)).found;
    };
    expect(await find(member)).toEqual([shared, own]);
    expect(await find({ ...member, connections: {} })).toEqual([shared]);
    expect(await find({ ...member, connections: elsewhere.connections })).toEqual([shared]);
    expect(await find(member, [])).toEqual([]);
  });
});
