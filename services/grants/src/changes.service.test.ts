import { busHeaders } from '@action-platform/contracts/bus';
import {
  addMember,
  connectApp,
  disconnectApp,
  removeMember,
  revokeGrantOf,
  setMemberRole,
} from '@action-platform/contracts/calls';
import { grantRoutes, membershipRoutes } from '@action-platform/contracts/resources';
import { EventReader } from '@action-platform/testing';
import { beforeAll, expect, test } from '@jest/globals';
import { BSON } from 'mongodb';
import { memberKey } from './members/stored-member.ts';
import { holder, outcomeOf, testAuthority } from './test-support/test-authority.ts';

const authority = testAuthority();
let reader: EventReader;
beforeAll(async () => {
  reader = await EventReader.open(authority.platform);
});

test('every change of memberships, apps and grants is one event; a repetition is none', async () => {
  const workspace = await authority.workspace();
  const user = '$user.with-signs';
  const owner = await authority.member({ workspace, role: 'owner' });
  const member = { workspace, user };
  const operator = { [busHeaders.operator]: '$operator' };
  const add = () => authority.platform.callAs('admin', addMember, { ...member, role: 'member' }, operator);
  const app = { ...member, app: 'mail_suite' } as const;
  await add();
  await add();
  await authority.admin(connectApp, app);
  const signedIn = { workspaceId: workspace, userId: user };
  const { grant } = await authority.operationGrant(signedIn, 'record_store.get_record', 'key');
  await authority.operationGrant(signedIn, 'record_store.get_record', 'key');
  const other = await authority.operationGrant(signedIn, 'record_store.get_record');
  for (const _ of [1, 2]) await authority.manage(owner, grantRoutes.operation.revoke, { id: grant.id });
  await authority.admin(revokeGrantOf, { workspace, grant: other.grant.id });
  for (const _ of [1, 2]) await authority.admin(disconnectApp, app);
  for (const _ of [1, 2]) await authority.admin(setMemberRole, { ...member, role: 'owner' });
  const { userId } = signedIn;
  for (const _ of [1, 2])
    await authority.manage(owner, membershipRoutes.change, { userId, displayName: '$Ada' });
  for (const _ of [1, 2]) await authority.admin(removeMember, member);
  await add();

  await reader.until(workspace, 12);
  const [, ...events] = await reader.read(workspace);
  expect(events.map(({ type }) => type)).toEqual([
    'member.added',
    'app.connected',
    'grant.created',
    'grant.created',
    'grant.revoked',
    'grant.revoked',
    'app.disconnected',
    'member.role_changed',
    'member.renamed',
    'member.removed',
    'member.added',
  ]);
  for (const { data } of events) expect(data.user_id).toBe(user);
  const [added, connected, created, , revoked, revokedByOperator, disconnected] = events;
  expect(added!.data.actor).toEqual({ operator: '$operator' });
  expect(created!.data).toMatchObject({ grant_id: grant.id, actor: { user_id: user } });
  expect(revoked!.data).toMatchObject({ grant_id: grant.id, actor: { user_id: owner.userId } });
  expect(revokedByOperator!.data).toMatchObject({ grant_id: other.grant.id });
  expect(disconnected!.subject).toBe(connected!.subject);
  expect(new Set(events.map(({ id }) => id)).size).toBe(11);
  expect(JSON.stringify(events)).not.toMatch(/secret_hash|Ada/);
});

test('a membership that changes without end stays small, and every change is one event, in order', async () => {
  const { workspaceId: workspace, userId: user } = await authority.member();
  const { members } = await authority.collections();
  const size = async () =>
    BSON.calculateObjectSize((await members.findOne({ _id: memberKey(workspace, user) }))!);
  let count = 0;
  const change = async (times: number) => {
    for (let made = 0; made < times; made++) {
      const role = count++ % 2 === 0 ? 'owner' : 'member';
      await authority.admin(setMemberRole, { workspace, user, role, force: true });
    }
  };
  await change(120);
  const before = await size();
  const grant = await authority.operationGrant(
    { workspaceId: workspace, userId: user },
    'record_store.get_record',
  );
  await change(41);
  expect((await size()) - before).toBeLessThan(200);
  const use = outcomeOf(authority.authorize(holder(grant), 'record_store.get_record'));
  expect(await use).toBe('grant_role_changed');

  const roleChanges = async () =>
    (await reader.read(workspace)).filter(({ type }) => type === 'member.role_changed');
  await reader.until(workspace, count + 2);
  const events = await roleChanges();
  expect(new Set(events.map(({ id }) => id)).size).toBe(count);
  const times = events.map(({ time }) => time);
  expect(times).toEqual(times.toSorted());
});
