import { beginAuthorization } from '@action-platform/contracts/calls';
import { appConnectionRoutes, type SessionClaims } from '@action-platform/contracts/resources';
import { aMember } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Db } from 'mongodb';
import { openGraphProvider } from '../providers/graph/graph-provider.ts';
import { mailWith } from '../service.ts';
import { GraphStandIn } from '../test-support/graph/graph-stand-in.ts';
import { TestMail } from '../test-support/test-mail.ts';

const { authorize, complete, list } = appConnectionRoutes;
const PUBLIC_URL = 'https://platform.example.com';

const mail = new TestMail();
const service = mailWith(async () => [openGraphProvider()]);
let graph: GraphStandIn;
let db: Db;
beforeAll(async () => {
  graph = await GraphStandIn.trusted();
  graph.mailbox(graph.tokens.person);
  await mail.platform.startBeside('grants');
  const { tenant, client_id } = graph.settings();
  await mail.startWith(service, {
    PUBLIC_URL,
    // Its case does not count.
    MAIL_GRAPH_TENANT: tenant.toUpperCase(),
    MAIL_GRAPH_CLIENT_ID: client_id,
    MAIL_GRAPH_LOGIN_URL: graph.origin,
    MAIL_GRAPH_URL: graph.origin,
  });
  ({ db } = await mail.platform.database('mail'));
});
afterAll(async () => {
  await mail.stop();
  await graph.stop();
});

const as = mail.as.bind(mail);
const member = (workspace?: string) => mail.newUser('member', workspace);

/** Has the person at the browser sign in; returns the parameters with which they come back. */
async function signInAt(url: string): Promise<Record<string, string>> {
  const response = await fetch(url, { redirect: 'manual' });
  expect(response.status).toBe(302);
  const back = new URL(response.headers.get('location')!);
  expect(back.origin + back.pathname).toBe(`${PUBLIC_URL}/console/connected`);
  return Object.fromEntries(back.searchParams);
}

const waiting = ({ workspaceId }: SessionClaims) =>
  db.collection('authorizations').countDocuments({ workspace_id: workspaceId });

test('a person signs in, and their mailbox is connected, without a secret in the database', async () => {
  const ada = await member();
  const { id, authorizationUrl } = await as(ada, authorize);
  const answer = await signInAt(authorizationUrl);
  const { connection } = await as(ada, complete, { id, code: answer.code, state: answer.state });
  expect(connection).toMatchObject({
    userId: ada.userId,
    provider: 'graph',
    email: 'ada@example.com',
    available: true,
  });
  expect((await as(ada, list)).connections).toEqual([connection]);
  const principal = aMember({ ...ada, connections: { mail_suite: connection.id } });
  expect((await mail.send(principal)).result.status).toBe('drafted');
  expect(await waiting(ada)).toBe(0);
  const stored = await db.collection('accounts').find({ workspace_id: ada.workspaceId }).toArray();
  expect(JSON.stringify(stored)).not.toMatch(/SECRET|delegated/);
});

test('the address asks for the code flow with PKCE and for no more than drafts need', async () => {
  const { authorizationUrl } = await as(await member(), authorize, { email: 'ada@example.com' });
  const url = new URL(authorizationUrl);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: graph.tokens.clientId,
    response_type: 'code',
    response_mode: 'query',
    redirect_uri: `${PUBLIC_URL}/console/connected`,
    scope: `${graph.origin}/Mail.ReadWrite openid profile offline_access`,
    state: expect.stringMatching(/^aut_[0-9a-f]{32}\.[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
    prompt: 'select_account',
    login_hint: 'ada@example.com',
  });
});

test('the address that the Member named is the mailbox, if the person may write in it', async () => {
  const ada = await member();
  graph.mailbox('desk@example.com');
  graph.mailbox('boss@example.com').access = 'none';
  const connect = async (email: string) => {
    const { id, authorizationUrl } = await as(ada, authorize, { email });
    const { code, state } = await signInAt(authorizationUrl);
    return await as(ada, complete, { id, code, state });
  };
  expect((await connect('desk@example.com')).connection.email).toBe('desk@example.com');
  await expect(connect('boss@example.com')).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('may not write in this mailbox'),
  });
  expect((await as(ada, list)).connections).toMatchObject([{ email: 'desk@example.com' }]);
});

const forged = { state: `aut_${'0'.repeat(32)}.${'x'.repeat(43)}` };
const notTheirs = 'id: no sign-in of yours';
/** The events before the answer to a sign-in arrives. */
const meanwhile: Readonly<Record<string, (who: SessionClaims) => unknown>> = {
  '11 minutes old': ({ workspaceId }) =>
    db
      .collection('authorizations')
      .updateOne({ workspace_id: workspaceId }, { $set: { expires_at: new Date(Date.now() - 60_000) } }),
  'of which a later one has the place': (who) => as(who, authorize),
  'while Microsoft is down': () => graph.faults.plan('token', { throttle: 503, seconds: 1 }),
  'that loses the connection to Microsoft': () => graph.faults.plan('token', { cut: 'after' }),
  'to a mailbox without capacity': () => graph.faults.plan('folder', { throttle: 429, seconds: 120 }),
  'with an answer that is none': () => graph.faults.plan('token', { garbled: 'malformed' }),
};

test.each([
  ['of another Member', {}, notTheirs],
  ['with another state', forged, 'state: is not that of this sign-in'],
  ['with another code', { code: 'SECRET-other' }, 'refuses the sign-in (invalid_grant, AADSTS70000)'],
  ['11 minutes old', {}, notTheirs],
  ['of which a later one has the place', {}, notTheirs],
  ['while Microsoft is down', {}, 'did not complete the sign-in'],
  ['that loses the connection to Microsoft', {}, 'was not completed; begin another one'],
  ['to a mailbox without capacity', {}, 'was not completed; begin another one'],
  ['with an answer that is none', {}, 'did not complete the sign-in'],
])('a sign-in %s is refused, and nothing is stored', async (what, wrong, message) => {
  const ada = await member();
  const { id, authorizationUrl } = await as(ada, authorize);
  const { code, state } = await signInAt(authorizationUrl);
  await meanwhile[what]?.(ada);
  const who = what === 'of another Member' ? await member(ada.workspaceId) : ada;
  const error = await as(who, complete, { id, code, state, ...wrong }).catch((refused: Error) => refused);
  expect(error).toMatchObject({ code: 'invalid_request', message: expect.stringContaining(message) });
  expect(String(error)).not.toMatch(/SECRET|example\.com/);
  expect((await as(ada, list)).connections).toEqual([]);
  expect(await db.collection('accounts').countDocuments({ workspace_id: ada.workspaceId })).toBe(0);
  // Another Member's attempt does not end it.
  if (what === 'of another Member') await as(ada, complete, { id, code, state });
});

test('a sign-in counts once, and so does its code', async () => {
  const ada = await member();
  const { id, authorizationUrl } = await as(ada, authorize);
  const { code, state } = await signInAt(authorizationUrl);
  await as(ada, complete, { id, code, state });
  const again = as(ada, complete, { id, code, state });
  await expect(again).rejects.toMatchObject({ message: expect.stringContaining('id: no sign-in of yours') });
  const other = await as(ada, authorize);
  const { state: otherState } = await signInAt(other.authorizationUrl);
  await expect(as(ada, complete, { id: other.id, code, state: otherState })).rejects.toMatchObject({
    message: expect.stringContaining('AADSTS54005'),
  });
});

test('a deployment without an application refuses a sign-in; one with half of its variables does not start', async () => {
  const plain = new TestMail();
  await plain.start();
  const begun = plain.platform.callAs('grants', beginAuthorization, { workspaceId: 'ws_1', userId: 'ada' });
  await expect(begun).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('is not set up'),
  });
  const half = plain.startWith(service, { MAIL_GRAPH_CLIENT_ID: 'client' });
  await expect(half).rejects.toThrow('MAIL_GRAPH_TENANT');
  await plain.stop();
});
