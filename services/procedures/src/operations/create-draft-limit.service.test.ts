import { createDraft } from '@action-platform/contracts/operations';
import { aMember, TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { procedures } from '../service.ts';

const platform = new TestPlatform();
beforeAll(() => platform.start(procedures, { WORKSPACE_PROCEDURES_MAX: '2' }));
afterAll(() => platform.stop());

const draft = (slug: string, title = 'A title') => ({ slug, title, description: '', markdown: '# Steps' });

test('a Workspace at its limit of Procedures gets no other one, and keeps the others working', async () => {
  const member = aMember();
  const create = (slug: string, title?: string) => platform.call(createDraft, member, draft(slug, title));
  await create('one');
  const last = await Promise.all(Array.from({ length: 10 }, () => create('two')));
  expect(new Set(last.map(({ status }) => status))).toEqual(new Set([200]));

  const { status, error } = await create('three');
  expect([status, error.code]).toEqual([400, 'invalid_request']);
  expect(error.message).toBe(
    'The Workspace has 2 Procedures, and that is the limit. An operator of the platform can raise the limit.',
  );
  expect((await create('two')).result.procedure.slug).toBe('two');
  expect((await create('two', 'Another title')).error.code).toBe('procedure_slug_taken');
  expect((await platform.call(createDraft, aMember(), draft('three'))).status).toBe(200);
});
