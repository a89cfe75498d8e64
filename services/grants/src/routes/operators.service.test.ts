import {
  addMember,
  connectApp,
  disconnectApp,
  knownMembers,
  listApps,
  listGrantsOf,
  removeMember,
  revokeGrantOf,
  setMemberRole,
} from '@action-platform/contracts/calls';
import { newId } from '@action-platform/contracts/ids';
import { describe, expect, test } from '@jest/globals';
import { memberKey } from '../members/stored-member.ts';
import {
  expectInvalid,
  KNOWN_PROVIDER,
  outcomeOf,
  refusal,
  testAuthority,
  who,
} from '../test-support/test-authority.ts';

const authority = testAuthority({ replicas: 2, recordStore: false });

const OPERATION = 'record_store.get_record';

describe('operators', () => {
  test('see the grants of all Members, newest first, and revoke any', async () => {
    const owner = await authority.member({ role: 'owner' });
    const { workspaceId: workspace } = owner;
    const first = await authority.operationGrant(owner, OPERATION);
    const second = await authority.operationGrant(await authority.member({ workspace }), OPERATION);
    const { grants } = await authority.admin(listGrantsOf, { workspace });
    expect(grants.map(({ id }) => id)).toEqual([second.grant.id, first.grant.id]);
    const revoke = (grant: string, of = workspace) =>
      authority.admin(revokeGrantOf, { workspace: of, grant });
    for (const _ of [1, 2])
      expect(await revoke(second.grant.id)).toMatchObject({
        grant: { id: second.grant.id, status: 'revoked' },
      });
    expect(await outcomeOf(revoke(first.grant.id, await authority.workspace()))).toBe('grant_not_found');
  });

  test('see the newest grants of a Workspace whose grants are too large for one answer', async () => {
    const owner = await authority.member({ role: 'owner' });
    const { workspaceId: workspace } = owner;
    const { grant } = await authority.operationGrant(owner, OPERATION);
    const { grants: stored } = await authority.collections();
    const { _id, secret_hash: _hash, ...rest } = (await stored.findOne({ _id: grant.id }))!;
    const collectionIds = Array.from({ length: 1000 }, () => newId('collection'));
    const terms = { output_definition: null, maximum_cadence: { invocations: 1, periodSeconds: 60 } };
    const copies = Array.from({ length: 60 }, () => {
      const id = newId('routineGrant');
      return { ...rest, ...terms, kind: 'routine', _id: id, secret_hash: id, data: { collectionIds } };
    });
    await stored.insertMany(copies as never);
    const { grants } = await authority.admin(listGrantsOf, { workspace });
    expect(grants).not.toEqual([]);
    expect(grants.length).toBeLessThan(copies.length);
    expect(grants.map(({ id }) => id)).toEqual(
      copies
        .map(({ _id: id }) => id)
        .reverse()
        .slice(0, grants.length),
    );
  });

  test('list the connected apps of Members', async () => {
    const owner = await authority.member({ role: 'owner' });
    const { workspaceId: workspace } = owner;
    const bob = await authority.member({ workspace, mail: true });
    const { connection } = await authority.admin(connectApp, { ...who(owner), app: 'mail_suite' });
    await authority.admin(disconnectApp, { ...who(bob), app: 'mail_suite' });
    expect(await authority.admin(listApps, { workspace })).toEqual({ connections: [connection] });
  });

  test('cannot change the role of a removed Member, nor connect an app', async () => {
    const removed = await authority.member();
    await authority.admin(removeMember, who(removed));
    const before = await stored(removed.workspaceId, removed.userId);
    const mailboxes = authority.mailboxes.size;
    const app = { ...who(removed), app: 'mail_suite' } as const;
    const changes = [
      authority.admin(setMemberRole, { ...who(removed), role: 'owner' }),
      authority.admin(connectApp, app),
      authority.admin(connectApp, { ...app, email: 'ada@example.com', provider: KNOWN_PROVIDER }),
    ];
    for (const { code, message } of await Promise.all(changes.map(refusal)))
      expect([code, message]).toEqual(['member_not_found', expect.stringContaining(removed.userId)]);
    expect(await stored(removed.workspaceId, removed.userId)).toEqual(before);
    expect(authority.mailboxes.size).toBe(mailboxes);
  });
});

test('other services can ask whether a Workspace and its users exist', async () => {
  const { workspaceId: workspace, userId } = await authority.member();
  const removed = await authority.member({ workspace });
  await authority.admin(removeMember, who(removed));
  const users = [userId, removed.userId, 'nobody'];
  const ask = (of: string) => authority.platform.callAs('mail', knownMembers, { workspace: of, users });
  expect(await ask(workspace)).toEqual({ isWorkspace: true, members: [userId] });
  expect(await ask('ws_none')).toEqual({ isWorkspace: false, members: [] });
});

/** The stored membership. */
async function stored(workspace: string, user: string) {
  const { members } = await authority.collections();
  return (await members.findOne({ _id: memberKey(workspace, user) }))!;
}

describe('a membership', () => {
  test('is added, given another role, removed and added again, each once and beginning a new epoch', async () => {
    const workspace = await authority.workspace();
    const of = { workspace, user: 'ada' };
    const steps = [
      [() => authority.admin(addMember, { ...of, role: 'member' }), 'member', 'active'],
      [() => authority.admin(setMemberRole, { ...of, role: 'owner' }), 'owner', 'active'],
      [() => authority.admin(removeMember, { ...of, force: true }), 'owner', 'removed'],
      [() => authority.admin(addMember, { ...of, role: 'member' }), 'member', 'active'],
    ] as const;
    for (const [index, [change, role, status]] of steps.entries()) {
      const member = expect.objectContaining({ userId: 'ada', role, state: status });
      const answers = await Promise.all(Array.from({ length: 10 }, change));
      expect(answers).toEqual(Array(10).fill(expect.objectContaining({ member })));
      const before = await stored(workspace, 'ada');
      expect(await change()).toMatchObject({ member });
      expect(await stored(workspace, 'ada')).toEqual(before);
      expect(before).toMatchObject({
        epoch: index + 1,
        changes: ['role_changed', 'member_removed', 'member_added'].slice(0, index),
      });
    }
  });

  test('has one more epoch than changes, also after concurrent changes', async () => {
    const workspace = await authority.workspace();
    const of = { workspace, user: 'ada' };
    await authority.admin(addMember, { ...of, role: 'member' });
    const changes = [
      () => authority.admin(setMemberRole, { ...of, role: 'owner' }),
      () => authority.admin(setMemberRole, { ...of, role: 'member', force: true }),
      () => authority.admin(removeMember, { ...of, force: true }),
      () => authority.admin(addMember, { ...of, role: 'member' }),
    ];
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => outcomeOf(changes[index % changes.length]!())),
    );
    const { epoch, changes: why } = await stored(workspace, 'ada');
    expect(epoch).toBe(why.length + 1);
    // Every return follows a removal.
    for (const [index, change] of why.entries())
      if (change === 'member_added') expect(why[index - 1]).toBe('member_removed');
  });

  test('keeps its role when the Member is added again', async () => {
    const owner = await authority.member({ role: 'owner' });
    await expectInvalid(authority.admin(addMember, { ...who(owner), role: 'member' }), 'owner');
    expect(await stored(owner.workspaceId, owner.userId)).toMatchObject({ role: 'owner', epoch: 1 });
  });
});

describe('a connected app', () => {
  test('has a fresh connection id every time, until it is disconnected or its Member removed', async () => {
    const member = await authority.member();
    const { workspaceId: workspace, userId: user } = member;
    const app = { ...who(member), app: 'mail_suite' } as const;
    const connections = async () => (await stored(workspace, user)).connections;
    const [first, second] = [await authority.admin(connectApp, app), await authority.admin(connectApp, app)];
    expect(first.connection).toEqual({
      id: expect.stringMatching(/^con_/),
      app: 'mail_suite',
      userId: user,
      ...{ provider: null, email: null, available: true },
    });
    expect(second.connection.id).not.toBe(first.connection.id);
    expect(await connections()).toEqual({ mail_suite: second.connection.id });
    for (const _ of [1, 2]) {
      const answer = await authority.admin(disconnectApp, app);
      expect(answer).toEqual({ disconnected: { app: 'mail_suite', userId: user } });
      expect(await connections()).toEqual({});
    }
    await authority.admin(connectApp, app);
    await authority.admin(removeMember, who(member));
    expect(await connections()).toEqual({});
    await authority.admin(addMember, { ...who(member), role: 'member' });
    expect(await connections()).toEqual({});
  });

  test('with a mailbox has the id under which mail stores it, and stays when mail refuses another', async () => {
    const member = await authority.member({ mail: true });
    const { workspaceId, userId } = member;
    const email = 'ada@example.com';
    const settings = { host: 'imap.example.com', port: 993 };
    const connect = (provider: string) =>
      authority.admin(connectApp, {
        ...{ ...who(member), app: 'mail_suite', email, provider, ...settings, secret: 'open sesame' },
      });
    const { connection } = await connect(KNOWN_PROVIDER);
    expect(connection).toEqual({
      id: expect.stringMatching(/^con_mailbox/),
      app: 'mail_suite',
      ...{ userId, provider: KNOWN_PROVIDER, email, available: true },
    });
    const mailbox = { workspaceId, userId, email, provider: KNOWN_PROVIDER, settings, secret: 'open sesame' };
    expect(authority.mailboxes.get(connection.id)).toMatchObject(mailbox);
    await expectInvalid(connect('pigeon'), 'provider: there is no "pigeon".');
    expect((await stored(workspaceId, userId)).connections).toEqual({ mail_suite: connection.id });
  });
});
