import { connectApp, disconnectApp } from '@action-platform/contracts/calls';
import { operations } from '@action-platform/contracts/operations';
import { describe, expect, test } from '@jest/globals';
import { holder, outcomeOf, session, testAuthority, who } from '../test-support/test-authority.ts';

const authority = testAuthority();

const all = [...operations.keys()];
const ownerOnly = ['record_store.create_collection', 'record_store.delete_record'];
const mail = ['mail.list_authorized_senders', 'mail.list_send_history', 'mail.send_email'];
const without = (...ids: string[]) => all.filter((id) => !ids.includes(id));

describe('discovery', () => {
  test('lists for a session the operations that role and connected apps allow, sorted by id', async () => {
    const owner = await authority.member({ role: 'owner', mail: true });
    const member = await authority.member();
    const app = { ...who(member), app: 'mail_suite' } as const;
    expect(await authority.discover(session(owner))).toEqual(all);
    expect(await authority.discover(session(member))).toEqual(without(...ownerOnly, ...mail));
    await authority.admin(connectApp, app);
    expect(await authority.discover(session(member))).toEqual(without(...ownerOnly));
    await authority.admin(disconnectApp, app);
    expect(await authority.discover(session(member))).toEqual(without(...ownerOnly, ...mail));
    expect(all).toEqual(all.toSorted());
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
    const app = { ...who(owner), app: 'mail_suite' } as const;
    await authority.admin(connectApp, app);
    await authority.admin(disconnectApp, app);
    expect(await authority.discover(holder(created))).toEqual([history]);
  });
});
