import {
  type Grant,
  type GrantStatus,
  grantRoutes,
  removeMember,
  type SessionClaims,
} from '@action-platform/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { KNOWN_COLLECTION, outcomeOf, TestAuthority } from '../test-support/test-authority.ts';

const authority = new TestAuthority();
beforeAll(() => authority.start());
afterAll(() => authority.stop());

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
  test('shows a Member their own, newest first, and an Owner those of the Workspace', async () => {
    const member = await authority.member();
    const owner = await authority.member({ workspace: member.workspaceId, role: 'owner' });
    const other = await authority.member({ workspace: member.workspaceId });
    const elsewhere = await authority.member();
    const [own, owners, others] = [
      await createMany(member, 2),
      await createMany(owner, 1),
      await createMany(other, 1),
    ];
    await createMany(elsewhere, 1);
    expect(ids((await list(member)).grants)).toEqual(own.toReversed());
    expect(ids((await list(other)).grants)).toEqual(others);
    expect(ids((await list(owner)).grants)).toEqual([...own, ...owners, ...others].toReversed());
  });

  test('keeps the kinds apart and never shows a secret', async () => {
    const member = await authority.member();
    const created = await authority.routineGrant(member);
    const [operation] = await createMany(member, 1);
    const routines = await authority.manage(member, grantRoutes.routine.list, {});
    expect(routines.grants).toEqual([created.grant]);
    expect(ids((await list(member)).grants)).toEqual([operation]);
  });

  test('continues page by page, and the last page has no cursor', async () => {
    const member = await authority.member();
    const all = (await createMany(member, 6)).toReversed();
    expect((await pages(member, { limit: 2 })).map(ids)).toEqual([
      all.slice(0, 2),
      all.slice(2, 4),
      all.slice(4),
    ]);
    expect((await pages(member, { limit: 4 })).map(ids)).toEqual([all.slice(0, 4), all.slice(4)]);
    expect((await pages(member, { limit: 6 })).map(ids)).toEqual([all]);
    expect((await pages(await authority.member(), { limit: 6 })).map(ids)).toEqual([[]]);
  });

  test('filters by status exactly', async () => {
    const owner = await authority.member({ role: 'owner' });
    const removed = await authority.member({ workspace: owner.workspaceId });
    const [active, revoked, expired, stopped] = [
      await createMany(owner, 3),
      await createMany(owner, 3),
      await createMany(owner, 3),
      await createMany(removed, 3),
    ];
    for (const id of revoked) await authority.manage(owner, grantRoutes.operation.revoke, { id });
    const { grants } = await authority.collections();
    await grants.updateMany({ _id: { $in: expired } }, { $set: { expires_at: new Date() } });
    await authority.admin(removeMember, { workspace: owner.workspaceId, user: removed.userId });
    for (const [status, wanted] of Object.entries({ active, revoked, expired, stopped })) {
      const found = await pages(owner, { status: status as GrantStatus, limit: 2 });
      expect(found.map((page) => page.length)).toEqual([2, 1]);
      expect(ids(found.flat())).toEqual(wanted.toReversed());
      expect(found.flat().map((grant) => grant.status)).toEqual([status, status, status]);
    }
  });

  test('finds the few of one status among many of another, over several pages', async () => {
    const member = await authority.member();
    const [oldest] = await createMany(member, 1);
    await insertRevoked(member, 1200);
    const found = await pages(member, { status: 'active', limit: 50 });
    expect(ids(found.flat())).toEqual([oldest]);
    // The first page read its maximum of grants, and none of them matched.
    expect(found.map((page) => page.length)).toEqual([0, 1]);
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
    expect(await outcomeOf(list(member, { cursor: nextCursor! }))).toBe('ok');
    expect(await outcomeOf(list(member, { cursor: nextCursor!, status: 'active' }))).toBe('invalid_request');
    expect(await outcomeOf(list(await authority.member(), { cursor: nextCursor! }))).toBe('invalid_request');
    expect(await outcomeOf(list(member, { cursor: 'nonsense' }))).toBe('invalid_request');
  });
});

/** Inserts revoked grants that are newer than all others. */
async function insertRevoked(member: SessionClaims, count: number): Promise<void> {
  const { grants } = await authority.collections();
  const template = (await grants.findOne({ user_id: member.userId }))!;
  await grants.insertMany(
    Array.from({ length: count }, (_, index) => ({
      ...template,
      _id: `ogr_f${String(index).padStart(31, '0')}`,
      secret_hash: `${template.secret_hash}${index}`,
      revoked_at: new Date(),
    })),
  );
}
