import {
  createCollection,
  describeTool,
  type FunctionTool,
  getRecord,
  getRecordHistory,
  listCollections,
  operations,
  pushRecord,
  replaceRecord,
} from '@action-platform/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectError, GatewayHarness, type TestWorkspace } from '../test/harness.ts';

const harness = new GatewayHarness();
let workspace: TestWorkspace;
let collectionId: string;

beforeAll(async () => {
  const { platform } = harness;
  await Promise.all([platform.spawn('grants'), platform.spawn('record-store'), harness.start()]);
  workspace = await harness.newWorkspace();
  const created = await harness.execute(workspace.owner.token, createCollection, {
    name: 'notes',
    member_writes_enabled: true,
  });
  collectionId = created.body.result.collection.id;
});
afterAll(() => harness.stop());

describe('a call', () => {
  test('runs through to the database and back', async () => {
    const pushed = await harness.execute(workspace.member.token, pushRecord, {
      collection_id: collectionId,
      payload: { title: 'first' },
    });
    expect(pushed.status).toBe(200);
    expect(pushed.headers['content-type']).toBe('application/json; charset=utf-8');
    const { record } = pushed.body.result;
    expect(record).toMatchObject({
      version: 1,
      payload: { title: 'first' },
      created_by: workspace.member.userId,
    });

    const reference = { collection_id: collectionId, record_id: record.id };
    const replaced = await harness.execute(workspace.owner.token, replaceRecord, {
      ...reference,
      payload: { n: 2 },
    });
    expect(replaced.body.result.record.version).toBe(2);
    const got = await harness.execute(workspace.member.token, getRecord, reference);
    expect(got.body.result.record).toEqual(replaced.body.result.record);
    const history = await harness.execute(workspace.member.token, getRecordHistory, reference);
    expect(history.body.result.revisions.map((revision: { version: number }) => revision.version)).toEqual([
      1, 2,
    ]);
  });

  test('keeps a payload to the byte', async () => {
    const payload = '{ "$set": {"a.b": 1.0},"n":12345678901234567890 , "__proto__":{"x":"\\u00e9é"} }';
    const body = `{"collection_id":"${collectionId}","payload":${payload}}`;
    const pushed = await harness.execute(workspace.owner.token, pushRecord, body);
    expect(pushed.text).toContain(`"payload":${payload}`);
  });

  test('marks the repeated outcome of a key', async () => {
    const input = { collection_id: collectionId, payload: { a: 1 }, idempotency_key: 'key-1' };
    const first = await harness.execute(workspace.owner.token, pushRecord, input);
    const again = await harness.execute(workspace.owner.token, pushRecord, input);
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.text).toBe(first.text);
  });

  test('accepts an empty body where no input is needed', async () => {
    for (const body of ['', '{}']) {
      const answer = await harness.execute(workspace.owner.token, listCollections, body);
      expect(answer.status).toBe(200);
    }
  });
});

describe('the order of checks', () => {
  const path = `/api/v1/operations/${createCollection.id}`;

  test('first authentication', async () => {
    expectError(await harness.http.post('/api/v1/operations/no.such').send('{'), 'authentication_required');
  });

  test('then whether the operation exists', async () => {
    const outsider = await harness.issuer.token({ workspaceId: workspace.id, userId: 'outsider' });
    for (const id of [
      'no.such',
      'record_store',
      'record_store.',
      '__proto__',
      'constructor',
      'a%2Fb',
      '%00',
    ]) {
      expectError(
        await harness.http.post(`/api/v1/operations/${id}`).auth(outsider, { type: 'bearer' }).send('{'),
        'unknown_operation',
      );
    }
  });

  test.each([
    ['record_store.push_recrod', 'Did you mean record_store.push_record?'],
    ['record_store__push_record', 'Did you mean record_store.push_record?'],
    ['Record-Store.PushRecord', 'Did you mean record_store.push_record?'],
    ['record_store.burn_record', /id\.$/],
  ])('the refusal of an unknown id, %s, suggests the most similar one', async (id, says) => {
    const answer = await harness.execute(workspace.member.token, { id }, '{}');
    expect(expectError(answer, 'unknown_operation').message).toMatch(says);
  });

  test('then whether this caller may run it', async () => {
    const outsider = await harness.issuer.token({ workspaceId: workspace.id, userId: 'outsider' });
    expectError(await harness.execute(outsider, createCollection, '{'), 'workspace_membership_required');
    expectError(await harness.execute(workspace.member.token, createCollection, '{'), 'owner_role_required');
  });

  test('then the body', async () => {
    const { owner } = workspace;
    expectError(await harness.execute(owner.token, createCollection, '{'), 'invalid_json');
    expectError(await harness.execute(owner.token, createCollection, '{}'), 'invalid_request');
    const text = await harness.http
      .post(path)
      .auth(owner.token, { type: 'bearer' })
      .type('text')
      .send('{"name":"x"}');
    expectError(text, 'invalid_request');
  });

  test('the error names the default content type of curl, and the required one', async () => {
    const form = await harness
      .execute(workspace.owner.token, createCollection, '{"name":"x"}')
      .type('application/x-www-form-urlencoded');
    const { message } = expectError(form, 'invalid_request');
    expect(message).toMatch(/^Content-Type: .*application\/json.* not application\/x-www-form-urlencoded/);
  });
});

describe('the order of checks on the grant routes', () => {
  const requests = (token: string) => {
    const request = (method: 'get' | 'post' | 'delete', path: string) =>
      harness.http[method](`/api/v1/${path}`).auth(token, { type: 'bearer' });
    return [
      request('get', 'operation-grants?limit=many&colour=red'),
      request('get', 'routine-grants?limit=1&limit=2'),
      request('post', 'operation-grants').type('json').send('{'),
      request('post', 'routine-grants').type('text').send('{}'),
    ];
  };

  test('first the membership', async () => {
    const outsider = await harness.issuer.token({ workspaceId: workspace.id, userId: 'outsider' });
    for (const request of requests(outsider)) expectError(await request, 'workspace_membership_required');
    const revoked = harness.http.delete('/api/v1/operation-grants/x').auth(outsider, { type: 'bearer' });
    expectError(await revoked, 'workspace_membership_required');
  });

  test('then the body and the query, with the next steps of these routes', async () => {
    const [list, repeated, broken, text] = requests(workspace.owner.token);
    const { message, next } = expectError(await list!, 'invalid_request');
    expect(message).toMatch(/limit.*colour/);
    expect(next).toContain('/api/v1/openapi.json');
    expectError(await repeated!, 'invalid_request');
    expectError(await broken!, 'invalid_json');
    expectError(await text!, 'invalid_request');
  });

  test('an id without a grant is not found, whatever its form', async () => {
    for (const id of ['x', 'ogr_1', '%00', 'a%2Fb', 'é', 'x'.repeat(5000)]) {
      const path = `/api/v1/operation-grants/${id}`;
      const answer = await harness.http.delete(path).auth(workspace.owner.token, { type: 'bearer' });
      expectError(answer, 'grant_not_found');
    }
  });
});

describe('a body is refused', () => {
  const refusal = async (body: string) =>
    await harness.execute(workspace.owner.token, createCollection, body);

  test.each([
    ['nothing', ''],
    ['half an object', '{"name":"a"'],
    ['two objects', '{"name":"a"}{"name":"b"}'],
    ['a comment', '{"name":"a"} // note'],
    ['a trailing comma', '{"name":"a",}'],
    ['a byte order mark', '\ufeff{"name":"a"}'],
  ])('as JSON: %s', async (_what, body) => {
    expectError(await refusal(body), 'invalid_json');
  });

  test('for its encoding as JSON: bytes that are not UTF-8', async () => {
    const answer = await harness.http
      .post(`/api/v1/operations/${createCollection.id}`)
      .auth(workspace.owner.token, { type: 'bearer' })
      .type('json')
      .serialize((bytes) => bytes)
      .send(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) as never);
    expectError(answer, 'invalid_json');
  });

  test.each([
    ['an array', '[]', /object/],
    ['null', 'null', /object/],
    ['an unknown field, by its name', '{"name":"a","colour":"red"}', /"colour"/],
    ['__proto__, by its name', '{"name":"a","__proto__":{"x":1}}', /"__proto__"/],
    ['constructor, by its name', '{"name":"a","constructor":1}', /"constructor"/],
    ['a wrong type, by its place', '{"name":7}', /^name:/],
    ['a name given twice', '{"name":"a","name":"b"}', /name/],
    ['a lone surrogate', '{"name":"\\ud800"}', /name/],
    ['too many levels', `{"name":${'['.repeat(70)}${']'.repeat(70)}}`, /64/],
  ])('for its content: %s', async (_what, body, message) => {
    expect(expectError(await refusal(body), 'invalid_request').message).toMatch(message);
  });

  test('for its size, and the connection serves the next request', async () => {
    const large = `{"name":"${'x'.repeat(2 * 1024 * 1024)}"}`;
    expectError(await refusal(large), 'request_body_too_large');
    expectError(await refusal('{'), 'invalid_json');
  });

  test('for its encoding', async () => {
    const answer = await harness
      .execute(workspace.owner.token, createCollection, '{}')
      .set('Content-Encoding', 'gzip');
    expectError(answer, 'invalid_request');
    const asItIs = await harness
      .execute(workspace.owner.token, createCollection, '{')
      .set('Content-Encoding', 'Identity');
    expectError(asItIs, 'invalid_json');
  });

  test('with 64 levels it is accepted', async () => {
    const nested = `${'{"a":'.repeat(62)}1${'}'.repeat(62)}`;
    const body = `{"collection_id":"${collectionId}","payload":{"p":${nested}}}`;
    expect((await harness.execute(workspace.owner.token, pushRecord, body)).status).toBe(200);
    const deeper = `{"collection_id":"${collectionId}","payload":{"p":{"q":${nested}}}}`;
    expectError(await harness.execute(workspace.owner.token, pushRecord, deeper), 'invalid_request');
  });
});

describe('discovery', () => {
  const discover = async (token: string) =>
    await harness.http.get('/api/v1/operations').auth(token, { type: 'bearer' });

  test('lists for an Owner every operation, for a Member those of Members', async () => {
    const forOwner = await discover(workspace.owner.token);
    const ids = forOwner.body.operations.map(({ id }: { id: string }) => id);
    expect(ids).toEqual([...operations.keys()]);
    const forMember = await discover(workspace.member.token);
    expect(forMember.body.operations.map(({ id }: { id: string }) => id)).toEqual(
      [...operations.values()]
        .filter(({ availability }) => availability === 'workspace_member')
        .map(({ id }) => id),
    );
  });

  test('lists for a grant its operations', async () => {
    const created = await harness.http
      .post('/api/v1/operation-grants')
      .auth(workspace.owner.token, { type: 'bearer' })
      .send({ operationScope: pushRecord.id, expiresAt: new Date(Date.now() + 60_000).toISOString() });
    expect(created.status).toBe(201);
    const listed = await discover(created.body.secret);
    expect(listed.body.operations.map(({ id }: { id: string }) => id)).toEqual([pushRecord.id]);
  });

  test('lists the same as function tools with ?view=tools', async () => {
    const { token } = workspace.member;
    const plain = await discover(token);
    const { body } = await harness.http.get('/api/v1/operations?view=tools').auth(token, { type: 'bearer' });
    expect(body.tools.map(({ name }: FunctionTool) => name.replace('__', '.'))).toEqual(
      plain.body.operations.map(({ id }: { id: string }) => id),
    );
    expect(body.tools).toContainEqual(describeTool(pushRecord, 'interactive'));
  });

  test.each(['?view=', '?view=cards', '?view=tools&view=tools'])('refuses %s', async (query) => {
    const ask = () => harness.http.get(`/api/v1/operations${query}`);
    const refused = await ask().auth(workspace.member.token, { type: 'bearer' });
    expect(expectError(refused, 'invalid_request').next).toMatch(/^Send view=tools/);
    expectError(await ask(), 'authentication_required');
  });

  test('is compressed for clients that accept it, and not sent again while unchanged', async () => {
    const ask = (headers: Record<string, string>, token = workspace.member.token) =>
      harness.http.get('/api/v1/operations').auth(token, { type: 'bearer' }).set(headers);
    const plain = await ask({ 'Accept-Encoding': 'identity' });
    const packed = await ask({ 'Accept-Encoding': 'gzip' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(Number(packed.headers['content-length'])).toBeLessThan(plain.text.length / 5);
    expect(packed.body).toEqual(plain.body);
    for (const { headers } of [plain, packed]) {
      expect(headers).toMatchObject({ vary: 'Accept-Encoding', 'cache-control': 'private, no-cache' });
      expect(headers.etag).toBe(plain.headers.etag);
    }
    const known = { 'If-None-Match': plain.headers.etag! };
    const again = await ask(known);
    expect({ status: again.status, text: again.text }).toEqual({ status: 304, text: '' });
    // `fetch` sends this directive.
    expect((await ask({ ...known, 'Cache-Control': 'no-cache', Pragma: 'no-cache' })).status).toBe(304);
    expect((await ask(known, workspace.owner.token)).status).toBe(200);
    const outsider = await harness.issuer.token({ workspaceId: workspace.id, userId: 'outsider' });
    expectError(await ask(known, outsider), 'workspace_membership_required');
  });

  test('is refused without a membership', async () => {
    expectError(await harness.http.get('/api/v1/operations'), 'authentication_required');
    const outsider = await harness.issuer.token({ workspaceId: workspace.id, userId: 'outsider' });
    expectError(await discover(outsider), 'workspace_membership_required');
    const elsewhere = await harness.issuer.token({ workspaceId: 'ws_other', userId: workspace.owner.userId });
    expectError(await discover(elsewhere), 'workspace_membership_required');
  });
});
