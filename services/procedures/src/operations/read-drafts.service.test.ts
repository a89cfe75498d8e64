import { createDraft, getDraft, listDrafts } from '@action-platform/contracts';
import { aMember, anOwner, profiled, scheduled, TestPlatform, wasteful } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { procedures } from '../service.ts';

const platform = new TestPlatform();
beforeAll(() => platform.start([procedures]));
afterAll(() => platform.stop());

const draft = (slug: string) => ({ slug, title: `About ${slug}`, description: 'Why.', markdown: '# How\n' });
const asListed = (slug: string) => {
  const { markdown: _, ...texts } = draft(slug);
  return { ...texts, state: 'draft', type: 'procedure', managedBy: 'owner' };
};
/** A Member whose Workspace has these drafts of its Owner. */
async function memberWith(...slugs: string[]) {
  const owner = anOwner();
  for (const slug of slugs) await platform.call(createDraft, owner, draft(slug));
  return aMember({ workspaceId: owner.workspaceId });
}

test('procedures.list_drafts: every draft of the Workspace once, by slug, without its document', async () => {
  await memberWith('elsewhere');
  const member = await memberWith('b', 'a-2', 'c', 'a');
  for (const caller of [member, scheduled(member, {})]) {
    const { result } = await platform.call(listDrafts, caller, {});
    expect(result).toEqual({ procedures: ['a', 'a-2', 'b', 'c'].map(asListed), next_cursor: null });
  }
  const read: string[] = [];
  let cursor: string | undefined;
  do {
    const { result } = await platform.call(listDrafts, member, { limit: 3, ...(cursor && { cursor }) });
    read.push(...result.procedures.map(({ slug }) => slug));
    cursor = result.next_cursor ?? undefined;
    // A new draft before the cursor changes nothing behind it.
    await platform.call(createDraft, member, draft(`0-${read.length}`));
  } while (cursor !== undefined);
  expect(read).toEqual(['a', 'a-2', 'b', 'c']);
  const { error } = await platform.call(listDrafts, member, { cursor: 'forged' });
  expect(error.code).toBe('invalid_request');
});

test('procedures.get_draft: the draft with its document; procedure_not_found for another slug', async () => {
  await memberWith('elsewhere');
  const member = await memberWith('a');
  const { result } = await platform.call(getDraft, member, { slug: 'a' });
  expect(result).toEqual({ procedure: { ...asListed('a'), markdown: '# How\n' } });
  const { status, error } = await platform.call(getDraft, member, { slug: 'elsewhere' });
  expect([status, error.code, error.recoverable]).toEqual([400, 'procedure_not_found', true]);
});

test('both read by an index', async () => {
  const member = await memberWith('a', 'b');
  const queries = await profiled(await platform.database('procedures'), async () => {
    await platform.call(getDraft, member, { slug: 'a' });
    await platform.call(listDrafts, member, {});
  });
  expect(queries).toHaveLength(2);
  expect(wasteful(queries)).toEqual([]);
});
