import { grantRoutes } from '@action-platform/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { holder, TestAuthority } from '../test-support/test-authority.ts';

const authority = new TestAuthority();
beforeAll(() => authority.start());
afterAll(() => authority.stop());

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
