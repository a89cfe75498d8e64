import { send } from '@action-platform/testing/http';
import { expect, test } from '@jest/globals';
import { SharedStack } from './shared-stack.ts';

const stack = new SharedStack();

const imap = { email: 'a@example.com', provider: 'imap', host: '127.0.0.1', secret: 'SECRET-open sesame' };

test.each([
  ['a Member', '/api/v1/app-connections', { ...imap, app: 'mail_suite' }],
  [
    'a shared mailbox',
    '/api/v1/senders',
    { ...imap, displayName: 'Desk', everyone: true, interactive: true, scheduled: false },
  ],
])('no mail server of the own machine is connected to, for %s', async (_whom, path, body) => {
  const { base_url, owner } = await stack.workspace();
  const { json } = await send(base_url, { method: 'POST', path, token: owner.token, body });
  const { code, message } = json.error;
  expect([code, message]).toEqual(['invalid_request', expect.stringContaining('not a public one')]);
});
