import { busHeaders } from '@action-platform/contracts/bus';
import { createDraft, getDraft, listDrafts } from '@action-platform/contracts/operations';
import {
  aMember,
  anOwner,
  EventReader,
  profiled,
  scheduled,
  shardingProblems,
  TestPlatform,
  wasteful,
} from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { procedures } from '../service.ts';
import { storedDocuments } from '../stored-documents.ts';

const platform = new TestPlatform();
let database: Awaited<ReturnType<typeof platform.database>>;
beforeAll(async () => {
  await platform.start([procedures, procedures]);
  database = await platform.database('procedures');
});
afterAll(() => platform.stop());

const draft = {
  slug: 'weekly-report',
  title: 'Weekly report',
  description: 'What happened this week.',
  markdown: '# Report\n\n1. Collect.\n2. Write.\n',
};

const asReturned = { ...draft, state: 'draft', type: 'procedure', managedBy: 'owner' };

/** The number of Procedures in a Workspace. */
async function count(workspaceId: string): Promise<number> {
  return await database.db.collection('procedures').countDocuments({ workspace_id: workspaceId });
}

describe('procedures.create_draft', () => {
  test('the first of several creates is an event, and the audit log gets the id from each', async () => {
    const owner = anOwner();
    const reader = await EventReader.open(platform);
    const answers = [];
    for (const _ of [1, 2]) answers.push(await platform.call(createDraft, owner, draft));
    await platform.call(createDraft, owner, { ...draft, slug: 'another' });
    await reader.until(owner.workspaceId, 2);
    const events = await reader.read(owner.workspaceId);
    expect(events.map(({ type }) => type)).toEqual(['procedure.drafted', 'procedure.drafted']);
    const { subject } = events[0]!;
    expect(events[0]!.data).toMatchObject({
      procedure_id: subject,
      actor: { user_id: owner.userId },
    });
    expect(answers.map(({ header }) => header(busHeaders.targets))).toEqual([subject, subject]);
    expect(JSON.stringify(events)).not.toMatch(/report/i);
  });

  test('returns exactly the fields of the draft to Members, Owners, and jobs whose grant allows the operation', async () => {
    for (const caller of [aMember(), anOwner(), scheduled(aMember(), {})]) {
      const { status, result } = await platform.call(createDraft, caller, draft);
      expect([status, result]).toEqual([200, { procedure: asReturned }]);
    }
  });

  test('returns the same draft when any Member of the Workspace repeats an identical create', async () => {
    const owner = anOwner();
    await platform.call(createDraft, owner, draft);
    for (const caller of [owner, aMember({ workspaceId: owner.workspaceId })]) {
      const { result } = await platform.call(createDraft, caller, draft);
      expect(result).toEqual({ procedure: asReturned });
    }
    expect(await count(owner.workspaceId)).toBe(1);
  });

  test.each(['title', 'description', 'markdown'] as const)(
    'refuses a taken slug with another %s, and keeps what there is',
    async (field) => {
      const caller = aMember();
      await platform.call(createDraft, caller, draft);
      const { status, error } = await platform.call(createDraft, caller, { ...draft, [field]: 'Other' });
      expect([status, error.code, error.recoverable]).toEqual([400, 'procedure_slug_taken', true]);
      expect(error.message).toContain(draft.slug);
      const { result } = await platform.call(createDraft, caller, draft);
      expect(result).toEqual({ procedure: asReturned });
    },
  );

  test('makes one draft of concurrent identical creates, and accepts one of concurrent different ones', async () => {
    const caller = aMember();
    const same = await Promise.all(
      Array.from({ length: 20 }, () => platform.call(createDraft, caller, draft)),
    );
    expect(same.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const different = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        platform.call(createDraft, caller, { ...draft, slug: 'raced', title: `Draft ${i}` }),
      ),
    );
    const won = different.filter(({ status }) => status === 200);
    const lost = different.filter(({ status }) => status !== 200).map(({ error }) => error.code);
    expect([won.length, lost]).toEqual([1, Array(19).fill('procedure_slug_taken')]);
    expect(await count(caller.workspaceId)).toBe(2);
  });

  test('keeps texts unchanged, whatever they contain', async () => {
    const caller = aMember();
    const odd = {
      slug: 'odd',
      title: '$where: {"a.b": 1} ',
      description: '',
      markdown: '\u0000\ufeff<script>\r\n{{constructor}} 🦊 \u2028 $& __proto__',
    };
    for (let i = 0; i < 2; i++) {
      const { result } = await platform.call(createDraft, caller, odd);
      expect(result.procedure).toMatchObject(odd);
    }
    const { error } = await platform.call(createDraft, caller, { ...odd, title: odd.title.trim() });
    expect(error.code).toBe('procedure_slug_taken');
  });

  test('accepts the longest texts, counted in characters', async () => {
    const longest = {
      slug: 'a'.repeat(100),
      title: '🦊'.repeat(200),
      description: '🦊'.repeat(2000),
      markdown: '🦊'.repeat(200_000),
    };
    const { status, result } = await platform.call(createDraft, aMember(), longest);
    expect(status).toBe(200);
    expect(result.procedure).toMatchObject(longest);
  });

  test.each([
    ['an upper-case slug', { ...draft, slug: 'Report' }, 'slug'],
    ['a slug that ends with a hyphen', { ...draft, slug: 'report-' }, 'slug'],
    ['a slug with a line break after it', { ...draft, slug: 'report\n' }, 'slug'],
    ['a long slug', { ...draft, slug: 'a'.repeat(101) }, 'slug'],
    ['an empty title', { ...draft, title: '' }, 'title'],
    ['a long title', { ...draft, title: '🦊'.repeat(201) }, 'title'],
    ['a long description', { ...draft, description: 'x'.repeat(2001) }, 'description'],
    ['an empty markdown', { ...draft, markdown: '' }, 'markdown'],
    ['a long markdown', { ...draft, markdown: 'x'.repeat(200_001) }, 'markdown'],
    ['a missing field', { ...draft, description: undefined }, 'description'],
    ['an unknown field', { ...draft, state: 'published' }, 'state'],
  ])('refuses %s and names the field', async (_, input, field) => {
    const caller = aMember();
    const { status, error } = await platform.call(createDraft, caller, input);
    expect([status, error.code]).toEqual([400, 'invalid_request']);
    expect(error.message).toContain(field);
    expect(await count(caller.workspaceId)).toBe(0);
  });
});

const draftOf = (slug: string) => ({
  slug,
  title: `About ${slug}`,
  description: 'Why.',
  markdown: '# How\n',
});

const asListed = (slug: string) => {
  const { markdown: _, ...texts } = draftOf(slug);
  return { ...texts, state: 'draft', type: 'procedure', managedBy: 'owner' };
};

/** A Member whose Workspace has these drafts of its Owner. */
async function memberWith(...slugs: string[]) {
  const owner = anOwner();
  for (const slug of slugs) await platform.call(createDraft, owner, draftOf(slug));
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
    await platform.call(createDraft, member, draftOf(`0-${read.length}`));
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

test('all use an index', async () => {
  const member = await memberWith('a', 'b');
  const queries = await profiled(database, async () => {
    await platform.call(createDraft, member, draftOf('a'));
    await platform.call(getDraft, member, { slug: 'a' });
    await platform.call(listDrafts, member, {});
  });
  const byIndex = expect.stringMatching(/^(EXPRESS_)?IXSCAN \{ workspace_id: 1, slug: 1 \}/);
  expect(queries.map(({ planSummary }) => planSummary)).toEqual(Array(4).fill(byIndex));
  expect(wasteful(queries)).toEqual([]);
  expect(await shardingProblems('procedures', database, storedDocuments, queries)).toEqual([]);
});
