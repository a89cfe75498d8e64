import { setTimeout as delay } from 'node:timers/promises';
import { type AuditEntry, appConnectionRoutes, operations, senderRoutes } from '@action-platform/contracts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Answer } from './http.ts';
import { SharedStack } from './shared-stack.ts';
import { COLLEAGUE, MEMBER, OWNER, Workspace } from './workspace.ts';

jest.setTimeout(120_000);

const CONNECTIONS = '/api/v1/app-connections';
const SENDERS = '/api/v1/senders';
const SECRET = 'SECRET-open sesame';

let stack: SharedStack;
let workspace: Workspace;
let other: Workspace;
beforeAll(async () => {
  stack = await SharedStack.join();
  workspace = await Workspace.create(stack, 'boxes');
  other = await Workspace.create(stack, 'others');
});
afterAll(() => stack.leave());

const asJson = ({ text }: Answer) => JSON.parse(text);
const own = { app: 'mail_suite', email: 'mika@example.com', provider: 'local' };
const team = {
  email: 'desk@example.com',
  provider: 'local',
  displayName: 'Desk',
  interactive: true,
  scheduled: false,
};
const imap = { provider: 'imap', host: 'imap.example.com', secret: SECRET };
/** A refusal as its status, code and message. */
const refusalOf = (answer: Answer) => {
  const { code, message } = asJson(answer).error;
  return `${answer.status} ${code}: ${message}`;
};

test('a Member connects their own mailbox and an Owner a shared one; both draft, and end', async () => {
  const connected = await workspace.request(COLLEAGUE, 'POST', CONNECTIONS, {
    ...own,
    email: 'nils@example.com',
  });
  expect(connected.status).toBe(201);
  const { connection } = asJson(connected);
  expect(connection).toMatchObject({
    userId: COLLEAGUE,
    provider: 'local',
    email: 'nils@example.com',
    available: true,
  });
  const shared = await workspace.request(OWNER, 'POST', SENDERS, { ...team, members: [COLLEAGUE] });
  expect(shared.status).toBe(201);
  const { senderId } = asJson(shared).sender;
  const draft = { to: ['ada@example.com'], subject: 'Hello', body: 'Hello' };
  for (const sender_id of [undefined, senderId]) {
    const sent = await workspace.execute(COLLEAGUE, 'mail.send_email', { ...draft, sender_id });
    expect(asJson(sent).result.status).toBe('drafted');
  }
  const path = `${CONNECTIONS}/${connection.id}`;
  const ended = asJson(await workspace.request(OWNER, 'DELETE', path));
  expect(ended).toMatchObject({ connection: { id: connection.id, available: false }, stoppedGrants: 0 });
  expect(asJson(await workspace.request(COLLEAGUE, 'DELETE', path))).toEqual(ended);
  for (const _ of [1, 2])
    expect((await workspace.request(OWNER, 'DELETE', `${SENDERS}/${senderId}`)).status).toBe(200);
  const refused = await workspace.execute(COLLEAGUE, 'mail.send_email', draft);
  expect(refusalOf(refused)).toContain('403 connected_app_required');

  const named = async () => {
    const found = await workspace.execute(OWNER, 'audit.list_entries', { target_id: connection.id });
    const { entries }: { entries: AuditEntry[] } = asJson(found).result;
    return entries.map(({ operation, user_id, code }) => `${operation} ${user_id} ${code}`).toSorted();
  };
  const [removed, created] = [`DELETE ${CONNECTIONS}/{id}`, `POST ${CONNECTIONS}`];
  // An entry is stored a moment after the answer.
  while ((await named()).length < 3) await delay(100);
  expect(await named()).toEqual([
    `${removed} ${COLLEAGUE} ok`,
    `${removed} ${OWNER} ok`,
    `${created} ${COLLEAGUE} ok`,
  ]);
});

describe('bad input', () => {
  test.each([
    [{ host: '127.0.0.1' }, 'host: it has an address that is not a public one.'],
    [{ host: '::1' }, 'host: it has an address that is not a public one.'],
    [{ host: '169.254.169.254' }, 'host: it has an address that is not a public one.'],
    [{ host: '::ffff:127.0.0.1' }, 'host: it has an address that is not a public one.'],
    [{ port: 22 }, 'port: must be one of 143, 993'],
    [{ host: '127.0.0.1:22' }, 'host: '],
    [{ ca: SECRET }, 'ca'],
    [{ login_url: 'https://example.com' }, 'login_url'],
    [{ graph_url: 'https://example.com' }, 'graph_url'],
    [{ email: 'nobody' }, 'email: '],
    [{ secret: '' }, 'secret: must have 1 to 16384 characters'],
  ])('%j is refused, and nothing is stored', async (wrong, message) => {
    const before = await workspace.request(OWNER, 'GET', CONNECTIONS);
    for (const [path, body] of [
      [CONNECTIONS, { ...own, ...imap, ...wrong }],
      [SENDERS, { ...team, ...imap, everyone: true, ...wrong }],
    ] as const) {
      const answer = await workspace.request(OWNER, 'POST', path, body);
      expect(refusalOf(answer)).toContain('400 invalid_request: ');
      expect(refusalOf(answer)).toContain(message);
      expect(answer.text).not.toContain('SECRET');
    }
    expect((await workspace.request(OWNER, 'GET', CONNECTIONS)).text).toBe(before.text);
  });

  test('the things of another Workspace, and of another Member, are those of nobody', async () => {
    const { connection, sender } = other.ids;
    expect(refusalOf(await workspace.request(OWNER, 'DELETE', `${CONNECTIONS}/${connection}`))).toMatch(
      /^404 connection_not_found/,
    );
    for (const [method, body] of [
      ['PATCH', { interactive: true }],
      ['DELETE', undefined],
    ] as const) {
      const answer = await workspace.request(OWNER, method, `${SENDERS}/${sender}`, body);
      expect(refusalOf(answer)).toMatch(/^404 sender_not_found/);
      expect(refusalOf(await workspace.request(MEMBER, method, `${SENDERS}/${sender}`, body))).toMatch(
        /^403 owner_role_required/,
      );
    }
    const ownersOwn = asJson(
      await workspace.request(OWNER, 'GET', `${CONNECTIONS}?userId=${OWNER}`),
    ).connections;
    for (const { id } of ownersOwn)
      expect(refusalOf(await workspace.request(MEMBER, 'DELETE', `${CONNECTIONS}/${id}`))).toMatch(/^404/);
  });

  test('a sign-in at Microsoft 365 that the deployment does not have is refused', async () => {
    const begun = await workspace.request(MEMBER, 'POST', `${CONNECTIONS}/authorizations`, {});
    expect(refusalOf(begun)).toMatch(/^400 invalid_request: Sign-in at Microsoft 365 is not set up/);
  });
});

describe('no agent', () => {
  const routes = [...Object.values(appConnectionRoutes), ...Object.values(senderRoutes)];

  test.each(routes.map(({ method, path }) => [method.toUpperCase(), path]))(
    'reaches %s %s with a grant',
    async (method, path) => {
      for (const caller of ['routine', 'record_store.get_record']) {
        const answer = await workspace.request(
          caller,
          method,
          path.replace('{id}', 'some'),
          method === 'GET' ? undefined : {},
        );
        expect(refusalOf(answer)).toMatch(/^403 member_session_required/);
      }
    },
  );

  test('finds them among its tools', async () => {
    const { status, text } = await workspace.request(OWNER, 'GET', '/api/v1/operations?view=tools');
    expect(status).toBe(200);
    expect(text).not.toMatch(/app.connection|create_sender|authorization/);
    expect([...operations.keys()].filter((id) => /connect|authorization|create_sender/.test(id))).toEqual([]);
  });
});
