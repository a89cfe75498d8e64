import { addMailbox } from '@action-platform/contracts';
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

  test('refuses an unknown provider, and names the known ones', async () => {
    const adding = mail.platform.callAs('grants', addMailbox, { ...mailbox, provider: 'pigeon' });
    await expect(adding).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/^provider: must be one of local, imap, graph\./),
    });
  });

  test('refuses a malformed address', async () => {
    const adding = mail.platform.callAs('grants', addMailbox, {
      ...mailbox,
      email: 'ada@example.com\r\nX: y',
    });
    await expect(adding).rejects.toThrow(/^email: /);
  });
});
