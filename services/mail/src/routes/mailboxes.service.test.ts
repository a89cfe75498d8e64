import type { Principal } from '@action-platform/contracts/authority';
import { keepMailbox, removeSender } from '@action-platform/contracts/calls';
import {
  appConnectionRoutes,
  grantRoutes,
  type SessionClaims,
  senderRoutes,
} from '@action-platform/contracts/resources';
import { aMember, EventReader } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Db } from 'mongodb';
import type { StoredMailbox } from '../senders/stored-mailbox.ts';
import { TestMail } from '../test-support/test-mail.ts';

const mail = new TestMail();
const { system } = mail;
let db: Db;
let reader: EventReader;
beforeAll(async () => {
  await mail.platform.startBeside('grants');
  await mail.start();
  ({ db } = await mail.platform.database('mail'));
  reader = await EventReader.open(mail.platform);
});
afterAll(() => mail.stop());

const { list, connect, disconnect } = appConnectionRoutes;

const as = mail.as.bind(mail);
const member = mail.newUser.bind(mail);

const imap = { provider: 'imap', host: 'imap.example.com', secret: 'SECRET-open sesame' };
const own = (email: string) => ({ app: 'mail_suite', email, ...imap });
const team = { ...imap, email: 'team@example.com', displayName: 'Team', interactive: true, scheduled: false };

/** The refusal of a call, or `ok: `. */
const refusalOf = async (call: Promise<unknown>) => {
  const { code, message } = await call.then(
    () => ({ code: 'ok', message: '' }),
    (error: { code: string; message: string }) => error,
  );
  return `${code}: ${message}`;
};
const storedOf = async ({ workspaceId }: SessionClaims) => {
  const names = ['mailboxes', 'shared_mailboxes', 'accounts'];
  const counts = names.map((name) => db.collection(name).countDocuments({ workspace_id: workspaceId }));
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
};
const principalOf = (session: SessionClaims, id: string): Principal =>
  aMember({ ...session, connections: { mail_suite: id } });

describe('the mailbox of a Member', () => {
  test('is connected by them, listed for them and for Owners, drafts, and ends with the grants that need it', async () => {
    const owner = await member('owner');
    const ada = await member('member', owner.workspaceId);
    const bob = await member('member', owner.workspaceId);
    const { connection } = await as(ada, connect, own('ada@example.com'));
    expect(connection).toEqual({
      id: expect.stringMatching(/^con_[0-9a-f]{32}$/),
      app: 'mail_suite',
      userId: ada.userId,
      provider: 'imap',
      email: 'ada@example.com',
      available: true,
    });
    await as(bob, connect, own('bob@example.com'));
    const listed = async (who: SessionClaims, query = {}) =>
      (await as(who, list, query)).connections.map(({ userId }) => userId);
    expect(await listed(ada)).toEqual([ada.userId]);
    expect(await listed(owner)).toEqual([ada.userId, bob.userId]);
    expect(await listed(owner, { userId: ada.userId })).toEqual([ada.userId]);
    expect(await refusalOf(as(ada, list, { userId: bob.userId }))).toMatch(/^owner_role_required/);
    expect((await mail.send(principalOf(ada, connection.id))).result.status).toBe('drafted');

    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const grant = async (operationScope: string) =>
      (await as(ada, grantRoutes.operation.create, { operationScope, expiresAt })).grant.id;
    await grant('mail.send_email');
    await grant('mail.send_email');
    await grant('record_store.get_record');
    await as(ada, grantRoutes.operation.revoke, { id: await grant('mail.send_email') });
    expect(await refusalOf(as(bob, disconnect, { id: connection.id }))).toMatch(/^connection_not_found/);
    const ended = { ...connection, available: false };
    expect(await as(owner, disconnect, { id: connection.id })).toEqual({
      connection: ended,
      stoppedGrants: 2,
    });
    expect(await as(ada, disconnect, { id: connection.id })).toEqual({ connection: ended, stoppedGrants: 0 });
    expect(await listed(ada)).toEqual([]);
    const ofAda = { workspace_id: ada.workspaceId, user_id: ada.userId };
    expect(await db.collection('accounts').countDocuments(ofAda)).toBe(0);
    expect((await mail.send(principalOf(ada, connection.id))).result.status).toBe('unknown');
  });

  test('stays when a connection before it is ended, and is for its Workspace alone', async () => {
    const ada = await member('member');
    const first = (await as(ada, connect, own('ada@example.com'))).connection;
    const second = (await as(ada, connect, { ...own('ada@example.com'), login: 'ada' })).connection;
    expect(await as(ada, disconnect, { id: first.id })).toMatchObject({ stoppedGrants: 0 });
    expect((await as(ada, list)).connections).toEqual([second]);
    expect((await mail.send(principalOf(ada, second.id))).result.status).toBe('drafted');
    for (const id of [second.id, 'con_0', '..'])
      expect(await refusalOf(as(await member('owner'), disconnect, { id }))).toMatch(/^connection_not_found/);
  });

  test('stays with its grants when its call is repeated; another one ends it, and says what stopped with it', async () => {
    const ada = await member('member');
    const mailbox = own('ada@example.com');
    const first = await as(ada, connect, mailbox);
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    await as(ada, grantRoutes.operation.create, { operationScope: 'mail.send_email', expiresAt });
    const seen = system.seen.length;
    for (const _ of [1, 2]) expect(await as(ada, connect, mailbox)).toEqual({ ...first, stoppedGrants: 0 });
    expect(system.seen).toHaveLength(seen);

    const connected = [first.connection.id];
    const former = system.password;
    system.password = 'SECRET-another';
    const another = { ...mailbox, secret: system.password };
    const changes = [another, { ...another, login: 'ada' }, { ...another, login: 'ada', port: 143 as const }];
    const stopped: number[] = [];
    for (const changed of [...changes, { ...another, email: 'Ada@example.com' }]) {
      const { connection, stoppedGrants } = await as(ada, connect, changed);
      connected.push(connection.id);
      stopped.push(stoppedGrants);
    }
    system.password = former;
    expect(new Set(connected).size).toBe(5);
    expect(stopped).toEqual([1, 0, 0, 0]);
    const ofApps = async () =>
      (await reader.read(ada.workspaceId)).filter(({ type }) => type.startsWith('app.'));
    while ((await ofApps()).length < 9);
    const expected = connected.flatMap((id, n) =>
      n === 0 ? [`app.connected ${id}`] : [`app.disconnected ${connected[n - 1]}`, `app.connected ${id}`],
    );
    expect((await ofApps()).map(({ type, data }) => `${type} ${data.connection_id}`)).toEqual(expected);
  });

  test('is tried again by a repeated call when its server refused it meanwhile', async () => {
    const ada = await member('member');
    const { connection } = await as(ada, connect, own('ada@example.com'));
    const accounts = db.collection('accounts');
    await accounts.updateOne({ workspace_id: ada.workspaceId }, { $set: { refused_at: new Date() } });
    const wrong = { ...own('ada@example.com'), secret: 'SECRET-wrong' };
    expect(await refusalOf(as(ada, connect, wrong))).toContain('refuses the login');
    const again = await as(ada, connect, own('ada@example.com'));
    expect(again.connection.id).not.toBe(connection.id);
    expect((await mail.send(principalOf(ada, again.connection.id))).result.status).toBe('drafted');
  });

  test('is kept for its connection alone: that of a former one is deleted after a while, and a use of the live one keeps its', async () => {
    const ada = await member('member');
    const ofAda = { workspace_id: ada.workspaceId, user_id: ada.userId };
    const rows = db.collection<StoredMailbox>('mailboxes');
    const expiring = async () =>
      (await rows.find({ ...ofAda, expires_at: { $gt: new Date() } }).toArray()).map(({ _id }) => _id);
    const connected: string[] = [];
    for (const login of ['one', 'two', 'three'])
      connected.push((await as(ada, connect, { ...own('ada@example.com'), login })).connection.id);
    const [live] = connected.slice(-1);
    expect(await expiring()).toEqual(connected.slice(0, -1));
    // The call of a connection before it arrives late.
    await mail.platform.callAs('grants', keepMailbox, { ...ada, connectionId: connected[0] });
    expect(await expiring()).toContain(live);
    expect((await mail.send(principalOf(ada, live!))).result.status).toBe('drafted');
    expect(await expiring()).not.toContain(live);
    await as(ada, disconnect, { id: live! });
    expect(await expiring()).toContain(live);
    const indexes = await rows.indexes();
    expect(indexes).toContainEqual(
      expect.objectContaining({ key: { expires_at: 1 }, expireAfterSeconds: 0 }),
    );
  });

  test.each([
    ['a wrong password', { secret: 'SECRET-wrong' }, 'The server refuses the login or the password.'],
    ['no password', { secret: undefined }, 'secret is required for the provider imap.'],
    ['no host', { host: undefined }, 'host is required for the provider imap.'],
    ['port 22', { port: 22 }, 'port: must be one of 143, 993'],
    [
      'another host name',
      { host: 'https://example.com' },
      'host: must be a host name in ASCII, or an address',
    ],
    ['Microsoft 365', { provider: 'graph' }, 'provider: must be one of "imap", "local"'],
    [
      'the folder of the service',
      { provider: 'local', host: undefined, secret: undefined },
      'provider: must be "imap".',
    ],
    ['a certificate', { ca: 'SECRET-pem' }, 'ca'],
    ['another cloud', { login_url: 'https://login.example.com' }, 'login_url'],
    ['another cloud', { graph_url: 'https://graph.example.com' }, 'graph_url'],
    ['an unknown app', { app: 'fax' }, 'app: must be "mail_suite"'],
  ])('with %s is refused by name, and nothing is stored', async (_what, wrong, message) => {
    const owner = await member('owner');
    const seen = system.seen.length;
    const calls = [
      as(owner, connect, { ...own('ada@example.com'), ...wrong }),
      ...('app' in wrong ? [] : [as(owner, senderRoutes.add, { ...team, everyone: true, ...wrong })]),
    ];
    for (const refused of await Promise.all(calls.map(refusalOf))) {
      expect(refused).toContain('invalid_request: ');
      expect(refused).toContain(message);
      expect(refused).not.toContain('SECRET');
    }
    expect(await storedOf(owner)).toBe(0);
    if (!('secret' in wrong)) expect(system.seen).toHaveLength(seen);
  });
});

describe('a shared mailbox', () => {
  test('is added, changed and removed by Owners; each is one event without an address', async () => {
    const owner = await member('owner');
    const ada = await member('member', owner.workspaceId);
    const { sender } = await as(owner, senderRoutes.add, { ...team, everyone: true });
    expect(sender).toEqual({
      senderId: expect.stringMatching(/^snd_[0-9a-f]{32}$/),
      type: 'shared_mailbox',
      displayName: 'Team',
      email: 'team@example.com',
      members: null,
      everyone: true,
      interactive: true,
      scheduled: false,
      available: true,
    });
    const id = sender.senderId;
    expect((await as(owner, senderRoutes.list)).senders).toEqual([sender]);
    const sendersOf = async () =>
      (await mail.senders(principalOf(ada, 'con_none'))).map(({ sender_id }) => sender_id);
    expect(await sendersOf()).toEqual([id]);
    const change = { id, displayName: '$Team', members: [owner.userId, owner.userId], scheduled: true };
    const changed = {
      ...sender,
      displayName: '$Team',
      members: [owner.userId],
      everyone: false,
      scheduled: true,
    };
    expect(await as(owner, senderRoutes.change, change)).toEqual({ sender: changed });
    expect(await sendersOf()).toEqual([]);
    const ended = { sender: { ...changed, available: false } };
    for (const _ of [1, 2]) expect(await as(owner, senderRoutes.remove, { id })).toEqual(ended);
    expect((await as(owner, senderRoutes.list)).senders).toEqual([]);
    expect(await db.collection('accounts').countDocuments({ workspace_id: owner.workspaceId })).toBe(0);
    expect(await refusalOf(as(owner, senderRoutes.change, change))).toMatch(/^sender_not_found/);

    const again = (await as(owner, senderRoutes.add, { ...team, members: [ada.userId] })).sender;
    expect(again.senderId).not.toBe(id);
    expect(await sendersOf()).toEqual([again.senderId]);
    const ofSenders = async () =>
      (await reader.read(owner.workspaceId)).filter(({ type }) => type.startsWith('sender.'));
    while ((await ofSenders()).length < 4);
    const events = await ofSenders();
    expect(events.map(({ type, subject }) => `${type} ${subject}`)).toEqual([
      `sender.added ${id}`,
      `sender.changed ${id}`,
      `sender.removed ${id}`,
      `sender.added ${again.senderId}`,
    ]);
    for (const { data } of events) expect(data.actor).toEqual({ user_id: owner.userId });
    expect(JSON.stringify(events)).not.toMatch(/example\.com|Team/);
  });

  test('stays as it is when it is added again; another use or password changes it', async () => {
    const owner = await member('owner');
    const added = { ...team, everyone: true as const };
    const { sender } = await as(owner, senderRoutes.add, added);
    for (const _ of [1, 2]) expect(await as(owner, senderRoutes.add, added)).toEqual({ sender });
    await as(owner, senderRoutes.add, { ...added, displayName: 'The team' });
    const former = system.password;
    system.password = 'SECRET-another';
    await as(owner, senderRoutes.add, { ...added, displayName: 'The team', secret: system.password });
    system.password = former;
    await as(owner, senderRoutes.remove, { id: sender.senderId });
    const ofSenders = async () =>
      (await reader.read(owner.workspaceId)).filter(({ type }) => type.startsWith('sender.'));
    while ((await ofSenders()).at(-1)?.type !== 'sender.removed');
    expect((await ofSenders()).map(({ type }) => type.slice('sender.'.length))).toEqual([
      'added',
      'changed',
      'changed',
      'removed',
    ]);
  });

  test('is for Owners, and of their Workspace', async () => {
    const owner = await member('owner');
    const ada = await member('member', owner.workspaceId);
    const { senderId: id } = (await as(owner, senderRoutes.add, { ...team, everyone: true })).sender;
    const calls = (who: SessionClaims) => [
      as(who, senderRoutes.change, { id, interactive: false }),
      as(who, senderRoutes.remove, { id }),
    ];
    const asMember = [as(ada, senderRoutes.list), as(ada, senderRoutes.add, team), ...calls(ada)];
    for (const refused of await Promise.all(asMember.map(refusalOf)))
      expect(refused).toMatch(/^owner_role_required/);
    for (const refused of await Promise.all(calls(await member('owner')).map(refusalOf)))
      expect(refused).toMatch(/^sender_not_found/);
    expect((await as(owner, senderRoutes.list)).senders).toMatchObject([{ interactive: true }]);
  });

  test.each([
    ['neither Members nor everyone', {}, 'members: these, or everyone, must be given.'],
    ['both', { members: ['user-1'], everyone: true }, 'members: these or everyone must be given, not both.'],
    ['a stranger', { members: ['eve'] }, 'members: "eve" is not an active Member'],
    ['an empty list', { members: [] }, 'members: must have at least 1 item'],
    [
      'a name with a line end',
      { everyone: true, displayName: 'Team\r\nBcc: eve' },
      'displayName: must be printable',
    ],
  ])('for %s is refused, and nothing is stored', async (_what, wrong, message) => {
    const owner = await member('owner');
    const refused = await refusalOf(as(owner, senderRoutes.add, { ...team, ...wrong }));
    expect(refused).toContain(`invalid_request: ${message}`);
    expect(await storedOf(owner)).toBe(0);
  });

  test('cannot be one more than 50, also in races', async () => {
    const owner = await member('owner');
    const { workspaceId: workspace } = owner;
    const add = (i: number) =>
      as(owner, senderRoutes.add, { ...team, email: `t${i}@example.com`, everyone: true });
    const outcomes = await Promise.all(Array.from({ length: 70 }, (_, i) => refusalOf(add(i))));
    const refused = outcomes.filter((outcome) => outcome !== 'ok: ');
    expect(refused).toHaveLength(20);
    expect(refused[0]).toContain('The Workspace has 50 shared mailboxes, and that is the limit. Remove one');
    expect(await db.collection('accounts').countDocuments({ workspace_id: workspace })).toBe(50);
    const [first] = (await as(owner, senderRoutes.list)).senders;
    await mail.platform.callAs('admin', removeSender, { workspace, sender: first!.senderId });
    expect(await refusalOf(add(99))).toBe('ok: ');
    expect(await refusalOf(add(100))).toContain('that is the limit');
    expect(await refusalOf(add(99))).toBe('ok: ');
  });
});
