import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectError, GatewayHarness, type TestWorkspace } from '../harness.ts';
import { startNotes } from './start.ts';

const harness = new GatewayHarness();
let workspace: TestWorkspace;

beforeAll(async () => {
  workspace = await startNotes(harness);
});
afterAll(() => harness.stop());

const bearer = { type: 'bearer' } as const;

test('a new resource is one folder of declarations and one of handlers', async () => {
  const { member } = workspace;
  const as = (token: string) => ({
    list: (query = '') => harness.http.get(`/api/v1/notes${query}`).auth(token, bearer),
    create: (key: string) =>
      harness.http.post('/api/v1/notes').auth(token, bearer).set('Idempotency-Key', key).send({ text: 'a' }),
    change: (id: string, body: object) =>
      harness.http.patch(`/api/v1/notes/${id}`).auth(token, bearer).send(body),
  });
  const created = await as(member.token).create('n1');
  expect([created.status, created.body]).toEqual([201, { note: { id: 'n1', text: 'a' } }]);
  expect((await as(member.token).create('n1')).headers['idempotent-replayed']).toBe('true');
  expect((await as(member.token).change('n1', { text: 'b' })).body).toEqual({
    note: { id: 'n1', text: 'b' },
  });
  const twice = expectError(await as(member.token).change('n1', { id: 'n2', text: 'b' }), 'invalid_request');
  expect(twice.message).toBe('id: is in the path, and has no place in the body.');
  await as(member.token).create('n2');
  expect((await as(member.token).list('?most=1')).body).toEqual({ notes: [{ id: 'n1', text: 'b' }] });
  expectError(await as(member.token).list('?least=1'), 'invalid_request');

  // A stranger learns nothing about the input.
  const stranger = await harness.issuer.token({ workspaceId: workspace.id, userId: 'nobody' });
  expectError(await as(stranger).change('n1', {}), 'workspace_membership_required');

  const { status, headers } = await harness.http.put('/api/v1/notes').auth(member.token, bearer);
  expect([status, headers.allow]).toEqual([405, 'GET, HEAD, POST']);
  const { paths } = (await harness.http.get('/api/v1/openapi.json')).body;
  expect(Object.keys(paths['/api/v1/notes/{id}'])).toEqual(['patch', 'put']);
  expect(paths['/api/v1/notes/{id}'].patch).toMatchObject({
    operationId: 'changeNote',
    tags: ['events'],
  });
});
