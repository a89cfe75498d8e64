import {
  connectApp,
  disconnectApp,
  grantRoutes,
  newGrantSecret,
  operations,
  removeMember,
} from '@action-platform/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { holder, outcomeOf, session, TestAuthority } from '../test-support/test-authority.ts';

const authority = new TestAuthority();
beforeAll(() => authority.start());
afterAll(() => authority.stop());

const all = [...operations.keys()];
const ownerOnly = ['record_store.create_collection', 'record_store.delete_record'];
const mail = ['mail.list_authorized_senders', 'mail.list_send_history', 'mail.send_email'];
const without = (...ids: string[]) => all.filter((id) => !ids.includes(id));

describe('discovery', () => {
  test('lists for a session the operations that role and connected apps allow, sorted by id', async () => {
    const owner = await authority.member({ role: 'owner', mail: true });
    const member = await authority.member();
    expect(await authority.discover(session(owner))).toEqual(all);
    expect(await authority.discover(session(member))).toEqual(without(...ownerOnly, ...mail));
    expect(all).toEqual(all.toSorted());
  });

  test('follows an app that is connected and disconnected', async () => {
    const member = await authority.member();
    const app = { workspace: member.workspaceId, user: member.userId, app: 'mail_suite' } as const;
    await authority.admin(connectApp, app);
    expect(await authority.discover(session(member))).toEqual(without(...ownerOnly));
    await authority.admin(disconnectApp, app);
    expect(await authority.discover(session(member))).toEqual(without(...ownerOnly, ...mail));
  });

  test('agrees with execution, for every operation', async () => {
    for (const role of ['member', 'owner'] as const) {
      const member = await authority.member({ role });
      const allowed = await authority.discover(session(member));
      for (const id of all) {
        expect([id, (await outcomeOf(authority.authorize(session(member), id))) === 'ok']).toEqual([
          id,
          allowed.includes(id),
        ]);
      }
    }
  });

  test('lists the send history for an Owner without a mailbox, and lets them grant it', async () => {
    const owner = await authority.member({ role: 'owner' });
    const history = 'mail.list_send_history';
    expect(await authority.discover(session(owner))).toEqual(without(...mail.filter((id) => id !== history)));
    expect(await outcomeOf(authority.authorize(session(owner), history))).toBe('ok');
    const created = await authority.operationGrant(owner, history);
    expect(await authority.discover(holder(created))).toEqual([history]);
    // The grant needs no app, so connecting one does not stop it.
    const app = { workspace: owner.workspaceId, user: owner.userId, app: 'mail_suite' } as const;
    await authority.admin(connectApp, app);
    await authority.admin(disconnectApp, app);
    expect(await authority.discover(holder(created))).toEqual([history]);
  });

  test('lists for a grant the operations it allows; a routine grant needs no invocation id for it', async () => {
    const owner = await authority.member({ role: 'owner' });
    const single = await authority.operationGrant(owner, 'record_store.create_collection');
    expect(await authority.discover(holder(single))).toEqual(['record_store.create_collection']);
    const routine = await authority.routineGrant(owner, {
      operations: ['record_store.push_record', 'record_store.get_record'],
    });
    expect(await authority.discover(holder(routine))).toEqual([
      'record_store.get_record',
      'record_store.push_record',
    ]);
  });

  test('needs a membership', async () => {
    const member = await authority.member();
    await authority.admin(removeMember, { workspace: member.workspaceId, user: member.userId });
    expect(await outcomeOf(authority.discover(session(member)))).toBe('workspace_membership_required');
  });

  test('refuses a grant as execution does', async () => {
    expect(await outcomeOf(authority.discover(holder({ secret: newGrantSecret('routine') })))).toBe(
      'invalid_token',
    );
    const member = await authority.member({ mail: true });
    const who = { workspace: member.workspaceId, user: member.userId };
    const [revoked, stopped, expired] = [
      await authority.operationGrant(member, 'record_store.get_record'),
      await authority.operationGrant(member, 'mail.send_email'),
      await authority.operationGrant(member, 'record_store.get_record'),
    ];
    await authority.manage(member, grantRoutes.operation.revoke, { id: revoked.grant.id });
    await authority.admin(disconnectApp, { ...who, app: 'mail_suite' });
    const { grants } = await authority.collections();
    await grants.updateOne({ _id: expired.grant.id }, { $set: { expires_at: new Date() } });
    expect(await outcomeOf(authority.discover(holder(revoked)))).toBe('grant_revoked');
    expect(await outcomeOf(authority.discover(holder(stopped)))).toBe('grant_app_disconnected');
    expect(await outcomeOf(authority.discover(holder(expired)))).toBe('grant_expired');
  });
});
