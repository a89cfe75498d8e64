import { ActionError, addMailbox } from '@action-platform/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestMail } from '../test-support/test-mail.ts';

const mail = new TestMail();
beforeAll(() => mail.start());
afterAll(() => mail.stop());

const mailbox = { workspace: 'ws_1', user: 'ada', email: 'ada@example.com', provider: 'local' };

describe('admin.mail.add_mailbox', () => {
  test('gives every mailbox a connection id of its own', async () => {
    const ids = await Promise.all([1, 2].map(() => mail.platform.callAs('admin', addMailbox, mailbox)));
    for (const { connection_id } of ids) expect(connection_id).toMatch(/^con_[0-9a-f]{32}$/);
    expect(ids[0]).not.toEqual(ids[1]);
  });

  test('refuses a provider that the platform does not have, and names those it has', async () => {
    const adding = mail.platform.callAs('admin', addMailbox, { ...mailbox, provider: 'pigeon' });
    await expect(adding).rejects.toThrow(
      new ActionError('invalid_request', { message: 'provider: must be one of local.' }),
    );
  });

  test('refuses what is no address', async () => {
    const adding = mail.platform.callAs('admin', addMailbox, {
      ...mailbox,
      email: 'ada@example.com\r\nX: y',
    });
    await expect(adding).rejects.toThrow(/^email: /);
  });
});
