import type { Principal } from '@action-platform/contracts/authority';
import { busHeaders } from '@action-platform/contracts/bus';
import { keepMailbox, rekeyMailSecrets } from '@action-platform/contracts/calls';
import type { RunningService } from '@action-platform/service-host';
import { aMember } from '@action-platform/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Collection } from 'mongodb';
import { newSecretKey, TestMail } from '../test-support/test-mail.ts';
import type { StoredAccount } from './stored-account.ts';

const [first, second] = [newSecretKey('k1'), newSecretKey('k2')];

const mail = new TestMail();
const { system, service } = mail;
let accounts: Collection<StoredAccount>;
let replica: RunningService;
beforeAll(async () => {
  replica = await mail.startWith(service, { MAIL_SECRET_KEYS: first });
  accounts = (await mail.platform.database('mail')).db.collection('accounts');
});
beforeEach(() => {
  system.password = 'SECRET-open sesame';
});
afterAll(() => mail.stop());

const options = { provider: 'imap', settings: { host: 'imap.example.com' } };

/** Connects a mailbox for a Member. */
const connect = (member: Principal, mailbox: object = {}): Promise<Principal> =>
  mail.connected(member, { ...options, secret: system.password, ...mailbox });

/** Ends the pause of a Member's refused accounts, as its time does. */
const endPause = ({ workspaceId }: Principal) =>
  accounts.updateMany(
    { workspace_id: workspaceId, refused_at: { $exists: true } },
    { $set: { refused_at: new Date(0) } },
  );
const accountsOf = ({ workspaceId }: Principal) => accounts.find({ workspace_id: workspaceId }).toArray();
const availableOf = async (member: Principal) =>
  (await mail.senders(member)).map(({ available }) => available);
describe('connecting a mailbox', () => {
  test('signs in once, and stores the secret encrypted', async () => {
    const before = system.seen.length;
    const member = await connect(aMember());
    expect(system.seen.slice(before)).toEqual(['SECRET-open sesame']);
    const [account, ...others] = await accountsOf(member);
    expect(others).toEqual([]);
    expect(account).toMatchObject({ provider: 'imap', settings: { host: 'imap.example.com', port: 993 } });
    expect(account!.secret!.key).toBe('k1');
    expect(JSON.stringify(account)).not.toContain('sesame');
  });

  test.each([
    ['an unknown provider', { provider: 'pigeon' }, 'provider: must be one of local, imap.'],
    [
      'an option of another provider',
      { settings: { host: 'h', tenant: 't' } },
      'tenant: the provider imap has no such option.',
    ],
    [
      'a needless secret',
      { provider: 'local', settings: {} },
      'secret: the provider local has no such option.',
    ],
    ['a port out of range', { settings: { host: 'h', port: 70_000 } }, 'port: must be at most 65535.'],
  ])('with %s is refused by name, and nothing is kept', async (_what, mailbox, message) => {
    const member = aMember();
    await expect(connect(member, mailbox)).rejects.toMatchObject({ code: 'invalid_request', message });
    expect(await accountsOf(member)).toEqual([]);
  });

  test('again with a new password keeps the account; at another server it is another one, and the former expires; without a connection both go', async () => {
    const member = await connect(aMember());
    system.password = 'SECRET-new password';
    await connect(member);
    const moved = await connect(member, { settings: { host: 'other.example.com' } });
    expect(await accountsOf(member)).toHaveLength(2);
    await mail.platform.callAs('grants', keepMailbox, {
      workspaceId: member.workspaceId,
      userId: member.userId,
      connectionId: moved.connections.mail_suite,
    });
    const kept = await accountsOf(member);
    const expiring = kept.filter(({ expires_at }) => expires_at !== undefined);
    expect(expiring.map(({ settings }) => settings.host)).toEqual(['imap.example.com']);
    await mail.platform.callAs('grants', keepMailbox, {
      workspaceId: member.workspaceId,
      userId: member.userId,
    });
    expect(await accountsOf(member)).toEqual([]);
  });
});

describe('an account that is refused later', () => {
  test('makes its sender unavailable until a sign-in works, and its retry goes on', async () => {
    const member = await connect(aMember());
    system.password = 'changed at the server';
    const key = { idempotency_key: 'key-1' };
    expect((await mail.send(member, key)).result.status).toBe('unknown');
    expect(await availableOf(member)).toEqual([false]);
    expect((await mail.send(member)).error.code).toBe('mail_sender_not_eligible');

    await connect(member);
    expect(await availableOf(member)).toEqual([true]);
    const retry = async () => {
      await mail.expireLeases();
      return (await mail.send(member, key)).result.status;
    };
    system.password = 'changed at the server for a while';
    expect(await retry()).toBe('unknown');
    expect(await availableOf(member)).toEqual([false]);
    system.password = 'changed at the server';
    await endPause(member);
    expect(await retry()).toBe('drafted');
    expect(await availableOf(member)).toEqual([true]);
  });

  test('is signed in to once a minute by the retries of all keys together', async () => {
    const member = await connect(aMember());
    const keys = ['key-1', 'key-2', 'key-3'].map((idempotency_key) => ({ idempotency_key }));
    system.faults.push(...keys.map(() => 'dies before' as const));
    for (const key of keys) await mail.send(member, key);
    system.password = 'changed at the server';
    await mail.expireLeases();
    await mail.send(member, keys[0]);
    const before = system.seen.length;
    const retry = () => Promise.all(keys.map((key) => mail.send(member, key)));
    for (const { result, header } of [...(await retry()), ...(await retry())]) {
      expect(result).toMatchObject({
        status: 'unknown',
        next: expect.stringMatching(/Connect the mailbox again first.* in 60 seconds/),
      });
      expect(header(busHeaders.retryAfter)).toBe('60');
    }
    expect(system.seen).toHaveLength(before);
    await endPause(member);
    await retry();
    expect(system.seen).toHaveLength(before + 1);
    await connect(member);
    for (const { result } of await retry()) expect(result.status).toBe('drafted');
  });

  test('works when it was connected again while an attempt with the former password was refused', async () => {
    const member = await connect(aMember());
    system.password = 'changed at the server';
    const [arrived, open] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    system.beforeSignIn = () => {
      arrived.resolve();
      return open.promise;
    };
    const slow = mail.send(member);
    await arrived.promise;
    system.beforeSignIn = async () => {};
    const again = await connect(member);
    open.resolve();
    expect((await slow).result.status).toBe('unknown');
    expect(await availableOf(again)).toEqual([true]);
  });

  test('is signed in to again while somebody asks for it, at most once a minute', async () => {
    const member = await connect(aMember());
    system.password = 'changed at the server';
    await mail.send(member);
    const before = system.seen.length;
    for (let i = 0; i < 5; i++) await mail.senders(member);
    expect(system.seen).toHaveLength(before);
    system.password = 'SECRET-open sesame';
    await endPause(member);
    while (!(await availableOf(member))[0]);
    expect(system.seen).toHaveLength(before + 1);
  });
});

describe('a retry', () => {
  test('looks in no other account, and answers unknown when its own was deleted', async () => {
    const member = await connect(aMember());
    const key = { idempotency_key: 'key-1' };
    system.password = 'changed at the server';
    expect((await mail.send(member, key)).result.status).toBe('unknown');
    const elsewhere = await connect(member, { settings: { host: 'other.example.com' } });
    await mail.expireLeases();
    expect((await mail.send(elsewhere, key)).result.status).toBe('unknown');
    await accounts.deleteMany({ workspace_id: member.workspaceId, 'settings.host': 'imap.example.com' });
    await mail.expireLeases();
    const retry = await mail.send(elsewhere, key);
    expect(retry.result).toMatchObject({
      status: 'unknown',
      next: expect.stringMatching(/Look in the mailbox.* connect the same mailbox again first/),
    });
    expect(retry.header('idempotent-replayed')).toBe('true');
    expect(retry.header(busHeaders.retryAfter)).toBe('3600');
    await connect(member);
    expect((await mail.send(elsewhere, key)).result.status).toBe('drafted');
  });
});

describe('a stored secret', () => {
  test('that was altered, or exchanged with that of another account, makes no draft', async () => {
    const [one, other] = [await connect(aMember()), await connect(aMember())];
    const [{ secret }] = (await accountsOf(other)) as [StoredAccount];
    const exchanged = await accounts.updateOne(
      { workspace_id: one.workspaceId },
      { $set: { secret: secret! } },
    );
    expect(exchanged.modifiedCount).toBe(1);
    const before = system.seen.length;
    const answer = await mail.send(one, { idempotency_key: 'key-1' });
    expect(answer.result).toMatchObject({
      status: 'unknown',
      next: expect.stringContaining('Look in the mailbox'),
    });
    expect(system.seen).toHaveLength(before);
  });
});

test('keys rotate while e-mails are drafted, and the service does not start without a key in use', async () => {
  await accounts.deleteMany({});
  const members = await Promise.all([1, 2, 3].map(() => connect(aMember())));
  let isRotating = true;
  const outcomes = new Set<string>();
  const drafting = members.map(async (member) => {
    for (let call = 0; isRotating; call++) {
      // Now and then the mailbox is connected again, which encrypts its password anew.
      const caller = call % 5 === 4 ? await connect(member) : member;
      outcomes.add((await mail.send(caller)).result.status);
    }
  });
  for (const keys of [`${first},${second}`, `${second},${first}`, second]) {
    const next = await mail.startWith(service, { MAIL_SECRET_KEYS: keys });
    await replica.stop();
    replica = next;
    if (!keys.startsWith('k2')) continue;
    const rekeyed = await mail.platform.callAs('admin', rekeyMailSecrets, {});
    expect(rekeyed).toMatchObject({ key: 'k2', remaining: 0 });
  }
  isRotating = false;
  await Promise.all(drafting);
  expect(outcomes).toEqual(new Set(['drafted']));
  const starting = mail.startWith(service, { MAIL_SECRET_KEYS: first });
  await expect(starting).rejects.toThrow('MAIL_SECRET_KEYS: stored secrets need the key k2');
});
