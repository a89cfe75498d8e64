import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Answer } from './http.ts';
import { SharedStack } from './shared-stack.ts';
import { COLLEAGUE, OWNER, Workspace } from './workspace.ts';

jest.setTimeout(120_000);

const CONNECTIONS = '/api/v1/app-connections';
const SENDERS = '/api/v1/senders';

let stack: SharedStack;
let workspace: Workspace;
beforeAll(async () => {
  stack = await SharedStack.join();
  workspace = await Workspace.create(stack, 'boxes');
});
afterAll(() => stack.leave());

const asJson = ({ text }: Answer) => JSON.parse(text);
const own = { app: 'mail_suite', email: 'nils@example.com', provider: 'local' };
const team = {
  ...{ email: 'desk@example.com', provider: 'local', displayName: 'Desk', members: [COLLEAGUE] },
  ...{ interactive: true, scheduled: false },
};

test('a Member connects their own mailbox and an Owner a shared one; both draft, and end', async () => {
  const connected = await workspace.request(COLLEAGUE, 'POST', CONNECTIONS, own);
  expect(connected.status).toBe(201);
  const { connection } = asJson(connected);
  expect(connection).toMatchObject({ userId: COLLEAGUE, email: own.email, available: true });
  const shared = await workspace.request(OWNER, 'POST', SENDERS, team);
  expect(shared.status).toBe(201);
  const { senderId } = asJson(shared).sender;
  const draft = { to: ['ada@example.com'], subject: 'Hello', body: 'Hello' };
  for (const sender_id of [undefined, senderId]) {
    const sent = await workspace.execute(COLLEAGUE, 'mail.send_email', { ...draft, sender_id });
    expect(asJson(sent).result.status).toBe('drafted');
  }
  const ended = await workspace.request(OWNER, 'DELETE', `${CONNECTIONS}/${connection.id}`);
  expect(asJson(ended)).toMatchObject({ connection: { id: connection.id, available: false } });
  expect((await workspace.request(OWNER, 'DELETE', `${SENDERS}/${senderId}`)).status).toBe(200);
  const refused = await workspace.execute(COLLEAGUE, 'mail.send_email', draft);
  expect(asJson(refused).error.code).toBe('connected_app_required');
});

test('no mail server of the own machine is connected to, for a Member or a shared mailbox', async () => {
  const imap = { provider: 'imap', host: '127.0.0.1', secret: 'SECRET-open sesame' };
  for (const [path, body] of [
    [CONNECTIONS, { ...own, ...imap }],
    [SENDERS, { ...team, ...imap }],
  ] as const) {
    const { code, message } = asJson(await workspace.request(OWNER, 'POST', path, body)).error;
    expect([code, message]).toEqual(['invalid_request', expect.stringContaining('not a public one')]);
  }
});
