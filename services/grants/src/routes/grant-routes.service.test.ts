import type { GrantKind } from '@action-platform/contracts/authority';
import { grantRoutes, type SessionClaims } from '@action-platform/contracts/resources';
import { describe, expect, test } from '@jest/globals';
import { holder, outcomeOf, testAuthority } from '../test-support/test-authority.ts';

const authority = testAuthority();

const OPERATION = 'record_store.get_record';

const revoke = (member: SessionClaims, id: string, kind: GrantKind = 'operation') =>
  authority.manage(member, grantRoutes[kind].revoke, { id });

describe('revoking a grant', () => {
  test('answers the revoked grant, and the same again', async () => {
    const member = await authority.member();
    const { grant } = await authority.operationGrant(member, OPERATION);
    const first = await revoke(member, grant.id);
    expect(first).toEqual({ grant: { ...grant, status: 'revoked' } });
    const { grants } = await authority.collections();
    const stored = await grants.findOne({ _id: grant.id });
    expect(await revoke(member, grant.id)).toEqual(first);
    expect(await grants.findOne({ _id: grant.id })).toEqual(stored);
    expect((await authority.manage(member, grantRoutes.operation.list, {})).grants).toEqual([first.grant]);
  });

  test('of a grant that the Member cannot see is answered like that of an unknown one', async () => {
    const member = await authority.member();
    const colleague = await authority.member({ workspace: member.workspaceId });
    const { grant, secret } = await authority.operationGrant(member, OPERATION);
    const calls = [
      revoke(colleague, grant.id),
      revoke(member, grant.id, 'routine'),
      ...['ogr_none', '', '{"$ne":null}', '\0', 'x'.repeat(10_000)].map((id) => revoke(member, id)),
    ];
    expect(new Set(await Promise.all(calls.map(outcomeOf)))).toEqual(new Set(['grant_not_found']));
    expect(await outcomeOf(authority.authorize(holder({ secret }), OPERATION))).toBe('ok');
  });
});

/** Everything in the service's database, as text. */
async function wholeDatabase(): Promise<string> {
  const { db } = await authority.platform.database('grants');
  const collections = await db.collections();
  const documents = await Promise.all(collections.map((collection) => collection.find().toArray()));
  return JSON.stringify(documents);
}

test('only the answer to its creation contains a secret', async () => {
  const member = await authority.member();
  const routine = await authority.routineGrant(member);
  const operation = await authority.operationGrant(member, 'record_store.get_record');
  const replaced = await authority.operationGrant(member, 'record_store.push_record', 'a-key');
  const renewed = await authority.operationGrant(member, 'record_store.push_record', 'a-key');
  expect(renewed.grant.id).toBe(replaced.grant.id);
  const answers = [
    await authority.authorize(holder(routine), 'record_store.get_record', 'run'),
    await authority.authorize(holder(operation), 'record_store.get_record'),
    await authority.discover(holder(operation)),
    await authority.manage(member, grantRoutes.routine.list, {}),
    await authority.manage(member, grantRoutes.operation.list, {}),
    await authority.manage(member, grantRoutes.routine.revoke, { id: routine.grant.id }),
    routine.grant,
    operation.grant,
    replaced.grant,
    renewed.grant,
  ];
  const stored = await wholeDatabase();
  // The search works: it finds the stored fields of grants.
  expect(stored).toContain(operation.grant.id);
  for (const { secret } of [routine, operation, replaced, renewed]) {
    const withoutHint = secret.slice(4, -4);
    expect(stored).not.toContain(withoutHint);
    expect(JSON.stringify(answers)).not.toContain(withoutHint);
  }
});
