import { connectApp, removeMember } from '@action-platform/contracts/calls';
import { appConnectionRoutes } from '@action-platform/contracts/resources';
import { expect, test } from '@jest/globals';
import { testAuthority } from '../test-support/test-authority.ts';

const authority = testAuthority();

test('a connection without a mailbox is disconnected again with the same answer, also after its Member was removed', async () => {
  const workspace = await authority.workspace();
  const owner = await authority.member({ workspace, role: 'owner' });
  const [member, other] = [await authority.member({ workspace }), await authority.member({ workspace })];
  const app = { workspace, user: member.userId, app: 'mail_suite' } as const;
  const { connection } = await authority.admin(connectApp, app);
  await authority.operationGrant(member, 'mail.send_email');
  const disconnect = (who: typeof owner) =>
    authority.manage(who, appConnectionRoutes.disconnect, { id: connection.id });

  await expect(disconnect(other)).rejects.toMatchObject({ code: 'connection_not_found' });
  for (const id of ['$$x', '$commits.2.connection_id'])
    await expect(authority.manage(member, appConnectionRoutes.disconnect, { id })).rejects.toMatchObject({
      code: 'connection_not_found',
    });
  const first = await disconnect(member);
  expect(first).toMatchObject({ connection: { available: false }, stoppedGrants: 1 });
  const repeated = { ...first, stoppedGrants: 0 };
  expect(await disconnect(member)).toEqual(repeated);
  await authority.admin(removeMember, { workspace, user: member.userId });
  expect(await disconnect(owner)).toEqual(repeated);
  await expect(disconnect(other)).rejects.toMatchObject({ code: 'connection_not_found' });
});
