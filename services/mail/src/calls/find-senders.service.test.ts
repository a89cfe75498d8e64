import { findSenders, type Principal } from '@action-platform/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestMail } from '../test-support/test-mail.ts';

const mail = new TestMail();
beforeAll(() => mail.start());
afterAll(() => mail.stop());

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
