import { removeMember } from '@action-platform/contracts/calls';
import {
  type Grant,
  type GrantStatus,
  grantRoutes,
  type SessionClaims,
} from '@action-platform/contracts/resources';
import { describe, expect, test } from '@jest/globals';
import { KNOWN_COLLECTION, outcomeOf, testAuthority, who } from '../test-support/test-authority.ts';

const authority = testAuthority();

const OPERATION = 'record_store.get_record';

async function createMany(member: SessionClaims, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push((await authority.operationGrant(member, OPERATION)).grant.id);
  return ids;
}

const list = (member: SessionClaims, query: { status?: GrantStatus; limit?: number; cursor?: string } = {}) =>
  authority.manage(member, grantRoutes.operation.list, query);

/** All pages; calls `between` after each page but the last. */
async function pages(
  member: SessionClaims,
  query: { status?: GrantStatus; limit: number },
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<Grant[][]> {
  const all: Grant[][] = [];
  let cursor: string | null | undefined;
  do {
    if (cursor !== undefined) await between();
    const page = await list(member, { ...query, ...(cursor ? { cursor } : {}) });
    all.push(page.grants);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return all;
}

const ids = (grants: Grant[]) => grants.map(({ id }) => id);

describe('listing grants', () => {
  test('shows a Member their own of one kind, newest first, and an Owner those of the Workspace', async () => {
    const member = await authority.member();
    const { workspaceId: workspace } = member;
    const owner = await authority.member({ workspace, role: 'owner' });
    const other = await authority.member({ workspace });
    const own = await createMany(member, 2);
    const [owners, others] = [await createMany(owner, 1), await createMany(other, 1)];
    await createMany(await authority.member(), 1);
    const { grant } = await authority.routineGrant(member);
    expect((await authority.manage(member, grantRoutes.routine.list, {})).grants).toEqual([grant]);
    expect(ids((await list(member)).grants)).toEqual(own.toReversed());
    expect(ids((await list(other)).grants)).toEqual(others);
    expect(ids((await list(owner)).grants)).toEqual([...own, ...owners, ...others].toReversed());
  });

  test('filters by status exactly', async () => {
    const { owner, member: removed } = await authority.colleagues();
    const [active, revoked] = [await createMany(owner, 3), await createMany(owner, 3)];
    const [expired, stopped] = [await createMany(owner, 3), await createMany(removed, 3)];
    for (const id of revoked) await authority.manage(owner, grantRoutes.operation.revoke, { id });
    await authority.expire(...expired);
    await authority.admin(removeMember, who(removed));
    for (const [status, wanted] of Object.entries({ active, revoked, expired, stopped })) {
      const found = await pages(owner, { status: status as GrantStatus, limit: 2 });
      expect(found.map((page) => page.length)).toEqual([2, 1]);
      expect(ids(found.flat())).toEqual(wanted.toReversed());
      expect(found.flat().map((grant) => grant.status)).toEqual([status, status, status]);
    }
  });

  test('neither skips nor repeats grants that exist throughout, while others are created and revoked', async () => {
    const member = await authority.member();
    const all = await createMany(member, 9);
    const kept = all.filter((_, index) => index % 3 !== 0);
    const revocable = all.filter((_, index) => index % 3 === 0).toReversed();
    const found = await pages(member, { status: 'active', limit: 2 }, async () => {
      await createMany(member, 1);
      const id = revocable.pop();
      if (id !== undefined) await authority.manage(member, grantRoutes.operation.revoke, { id });
    });
    const seen = ids(found.flat());
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((id) => kept.includes(id))).toEqual(kept.toReversed());
  });

  test('ends a page early when its grants are large', async () => {
    const member = await authority.member();
    for (let i = 0; i < 5; i++) await authority.routineGrant(member);
    const { grants } = await authority.collections();
    const collectionIds = Array.from({ length: 1000 }, (_, index) =>
      `${KNOWN_COLLECTION}${index}`.padEnd(200, 'x'),
    );
    const data = { collectionIds, senderIds: collectionIds };
    await grants.updateMany({ user_id: member.userId }, { $set: { data } });
    const page = await authority.manage(member, grantRoutes.routine.list, {});
    expect(page.grants.length).toBe(2);
    expect(page.nextCursor).not.toBeNull();
  });

  test('refuses a cursor of another listing', async () => {
    const member = await authority.member();
    await createMany(member, 2);
    const { nextCursor } = await list(member, { limit: 1 });
    const listFrom = (who: SessionClaims, query = {}) =>
      outcomeOf(list(who, { cursor: nextCursor!, ...query }));
    expect(await listFrom(member)).toBe('ok');
    expect(await listFrom(member, { status: 'active' })).toBe('invalid_request');
    expect(await listFrom(await authority.member())).toBe('invalid_request');
  });
});
