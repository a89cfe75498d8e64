import { createServer, type RequestListener } from 'node:http';
import { listCollections } from '@action-platform/contracts/operations';
import { listen } from '@action-platform/testing';
import { pkce } from '@action-platform/testing/agents';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { signInOfAgents } from '../../test/agents.ts';
import { expectError } from '../../test/harness.ts';
import { McpClient } from '../../test/mcp-client.ts';

const agents = signInOfAgents();
const REDIRECT = 'https://agent.example.com/callback';

/** A request of a program, which a browser makes. */
async function authorize(changes: Readonly<Record<string, string | string[] | undefined>>) {
  const asked = {
    response_type: 'code',
    redirect_uri: REDIRECT,
    code_challenge: pkce().challenge,
    code_challenge_method: 'S256',
    state: 'x y',
    ...changes,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(asked))
    for (const each of [value ?? []].flat()) query.append(name, each);
  const { status, headers, text } = await agents.http.get(`/oauth/authorize?${query}`).redirects(0);
  return { status, headers, text, location: URL.parse(headers.location ?? '', 'http://here') };
}

describe('the metadata', () => {
  test('describe the server, and those of /mcp name it', async () => {
    const { publicUrl } = agents;
    const { body } = await agents.http.get('/.well-known/oauth-authorization-server');
    expect(body).toMatchObject({
      issuer: publicUrl,
      authorization_endpoint: `${publicUrl}/oauth/authorize`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
    const resource = await agents.http.get('/.well-known/oauth-protected-resource/mcp');
    expect(resource.body).toMatchObject({ resource: `${publicUrl}/mcp`, authorization_servers: [publicUrl] });
    const { headers } = await new McpClient(agents.harness, undefined).modern('tools/list');
    expect(headers['www-authenticate']).toBe(
      `Bearer resource_metadata="${publicUrl}/.well-known/oauth-protected-resource/mcp"`,
    );
  });
});

describe('a request of a registered program', () => {
  test('leads to the page of consent with what it needs', async () => {
    const client_id = await agents.register();
    const { status, location } = await authorize({ client_id, scope: 'record_store.get_usage' });
    expect([status, location!.pathname]).toEqual([302, '/console/connect']);
    expect(Object.fromEntries(location!.searchParams)).toMatchObject({
      client_id,
      redirect_uri: REDIRECT,
      state: 'x y',
      resource: `${agents.publicUrl}/mcp`,
      scope: 'record_store.get_usage',
    });
  });

  test.each([
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge_method: undefined }, 'invalid_request'],
    [{ code_challenge: undefined }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ resource: 'https://other.example.com/mcp' }, 'invalid_target'],
    [{ scope: ['a', 'b'] }, 'invalid_request'],
  ])('with %o goes back with %s, the state and the issuer', async (changes, error) => {
    const { status, location } = await authorize({ client_id: await agents.register(), ...changes });
    expect([status, location!.origin + location!.pathname]).toEqual([302, REDIRECT]);
    expect(Object.fromEntries(location!.searchParams)).toMatchObject({
      error,
      state: 'x y',
      iss: agents.publicUrl,
    });
  });

  test.each([
    ['of another host', { redirect_uri: 'https://other.example.com/callback' }],
    ['of another path', { redirect_uri: `${REDIRECT}/more` }],
    ['with a query of its own', { redirect_uri: `${REDIRECT}?a=1` }],
    ['with a fragment', { redirect_uri: `${REDIRECT}#x` }],
    ['that runs in the browser', { redirect_uri: 'javascript:alert(1)' }],
    ['of this machine over https', { redirect_uri: 'https://127.0.0.1/callback' }],
    ['of a host that begins as this machine', { redirect_uri: 'http://127.0.0.1.example.com/callback' }],
    ['with this machine as its user', { redirect_uri: 'http://127.0.0.1:1@example.com/callback' }],
    ['that is there twice', { redirect_uri: [REDIRECT, REDIRECT] }],
    ['that is absent', { redirect_uri: undefined }],
  ])('to an address %s gets a page, and no redirect', async (_what, changes) => {
    const client_id = await agents.register({ redirect_uris: [REDIRECT, 'http://127.0.0.1/callback'] });
    const { status, headers, text } = await authorize({ client_id, ...changes });
    expect([status, headers.location, headers['content-type']]).toEqual([
      400,
      undefined,
      'text/html; charset=utf-8',
    ]);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(text).not.toContain('example.com');
  });

  test.each(['http://127.0.0.1:4321/callback', 'http://127.0.0.1/callback'])(
    'to %s of its own machine may have any port',
    async (redirect_uri) => {
      const client_id = await agents.register({ redirect_uris: ['http://127.0.0.1:1/callback'] });
      expect((await authorize({ client_id, redirect_uri })).status).toBe(302);
    },
  );

  test('of an unknown, an altered and another deployment’s client_id gets a page', async () => {
    const client_id = await agents.register();
    for (const other of [
      'unknown',
      `${client_id.slice(0, -1)}_`,
      `${client_id}A`,
      undefined,
      [client_id, client_id],
    ])
      expect((await authorize({ client_id: other })).status).toBe(400);
  });
});

describe('a registration', () => {
  test('is its own client_id, the same for the same program', async () => {
    const body = { client_name: 'Agent', client_uri: 'https://agent.example.com', redirect_uris: [REDIRECT] };
    const answers = await Promise.all(
      [0, 1].map(() =>
        agents.http
          .post('/oauth/register')
          .send({ ...body, token_endpoint_auth_method: 'client_secret_post' }),
      ),
    );
    expect(answers[0]!.body).toMatchObject({ ...body, token_endpoint_auth_method: 'none' });
    expect([answers[0]!.status, answers[0]!.body.client_secret]).toEqual([201, undefined]);
    expect(answers[1]!.body.client_id).toBe(answers[0]!.body.client_id);
  });

  test.each([
    [{ redirect_uris: [] }, 'invalid_redirect_uri'],
    [{ redirect_uris: 'https://agent.example.com' }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['data:text/html,x'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['http://agent.example.com/'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['https://u:p@agent.example.com/'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['https://*.example.com/'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: [`${REDIRECT}#`] }, 'invalid_redirect_uri'],
    [{ redirect_uris: [`https://a.example/${'a'.repeat(500)}`] }, 'invalid_redirect_uri'],
    [{ redirect_uris: Array.from({ length: 11 }, (_, n) => `${REDIRECT}/${n}`) }, 'invalid_redirect_uri'],
    [{ client_name: 'a'.repeat(101) }, 'invalid_client_metadata'],
    [{ client_name: 'Good\u202Eevil' }, 'invalid_client_metadata'],
    [{ client_name: 'Zero\u200Bwidth' }, 'invalid_client_metadata'],
    [{ client_uri: 'javascript:alert(1)' }, 'invalid_client_metadata'],
  ])('with %o is %s', async (changes, error) => {
    const sent = { client_name: 'Agent', redirect_uris: [REDIRECT], ...changes };
    const { status, body, headers } = await agents.http.post('/oauth/register').send(sent);
    expect([status, body.error, typeof body.error_description]).toEqual([400, error, 'string']);
    expect(headers['x-request-id']).toMatch(/^req_/);
  });

  test.each([
    'vscode://agent/callback',
    'com.example.agent:/callback',
    'http://localhost:1/x',
    'http://[::1]/x',
  ])('may have %s', async (uri) => {
    expect(await agents.register({ redirect_uris: [uri] })).toEqual(expect.any(String));
  });
});

describe('a program with a document', () => {
  let requests: string[] = [];
  let answer: RequestListener = (_request, response) => response.end('{}');
  let base = '';
  const server = createServer((request, response) => {
    requests.push(request.url!);
    answer(request, response);
  });
  beforeAll(async () => {
    base = `http://127.0.0.1:${await listen(server)}`;
  });
  afterAll(() => void server.close());

  const documentOf = (id: string) => ({
    client_id: id,
    client_name: 'Documented',
    redirect_uris: [REDIRECT],
  });
  const answering = (body: unknown, status = 200, headers = {}) => {
    requests = [];
    answer = (_request, response) => response.writeHead(status, headers).end(JSON.stringify(body));
  };

  test('is known by it, which is read once', async () => {
    const id = `${base}/client.json`;
    answering(documentOf(id));
    for (let i = 0; i < 3; i++) expect((await authorize({ client_id: id })).status).toBe(302);
    expect(requests).toEqual(['/client.json']);
    const { tokens, grant } = await agents.signedIn({ clientId: id });
    expect(grant.client).toEqual({ id, name: 'Documented' });
    expect(await agents.outcome(tokens.access_token)).toBe('ok');
  });

  test.each<[string, (id: string) => void]>([
    ['of another id', () => answering(documentOf(`${base}/another.json`))],
    ['that redirects', (id) => answering(documentOf(id), 302, { location: `${base}/client.json` })],
    ['of 1 MB', (id) => answering({ ...documentOf(id), more: 'a'.repeat(1_000_000) })],
    ['without an address', (id) => answering({ ...documentOf(id), redirect_uris: [] })],
    ['that is no object', () => answering('text')],
    ['that is not found', () => answering({}, 404)],
  ])('%s gets a page, and has it fetched once', async (what, given) => {
    const id = `${base}/${what.replaceAll(' ', '-')}.json`;
    given(id);
    for (let i = 0; i < 2; i++) expect((await authorize({ client_id: id })).status).toBe(400);
    expect(requests).toHaveLength(1);
  });

  test.each<[string, () => void]>([
    ['answers 503', () => answering({}, 503)],
    ['answers 429', () => answering({}, 429)],
    ['closes the connection', () => (answer = (_request, response) => void response.destroy())],
  ])('at a host that %s leads to the page of consent, which is unavailable', async (what, given) => {
    const client_id = `${base}/${what.replaceAll(' ', '-')}.json`;
    given();
    const { status, location } = await authorize({ client_id });
    expect([status, location!.pathname]).toEqual([302, '/console/connect']);
    const unsound = await authorize({ client_id, response_type: 'token' });
    expect([unsound.status, unsound.headers.location]).toEqual([400, undefined]);
    const asked = agents.http
      .get('/api/v1/agent-authorizations')
      .query({ client_id, redirect_uri: REDIRECT })
      .auth(agents.workspace.member.token, { type: 'bearer' });
    expectError(await asked, 'action_platform_unavailable');
  });

  test.each([
    'https://127.0.0.1/client.json',
    'https://169.254.169.254/client.json',
    'https://localhost/client.json',
    'https://agent.example.com/a/../client.json',
    'https://user@agent.example.com/client.json',
    'https://agent.example.com/client.json#x',
    'https://agent.example.com/',
    'ftp://agent.example.com/client.json',
  ])('at %s gets a page', async (client_id) => {
    expect((await authorize({ client_id })).status).toBe(400);
  });
});

describe('a consent', () => {
  const consent = async (changes: object = {}, token?: string) => {
    const clientId = await agents.register();
    const asked = {
      clientId,
      codeChallenge: pkce().challenge,
      operations: ['record_store.get_usage'],
      ...changes,
    };
    return await agents.consent(asked, token);
  };

  test('needs a Member who has just signed in, and no grant', async () => {
    expectError(await consent({}, agents.workspace.member.token), 'fresh_sign_in_required');
    const { tokens } = await agents.signedIn();
    expectError(await consent({}, tokens.access_token), 'member_session_required');
    const atMcp = await new McpClient(agents.harness, await agents.fresh()).modern('tools/list');
    expect(atMcp.status).toBe(401);
  });

  test.each([
    [{ operations: ['record_store.delete_record'] }, 'record_store.delete_record'],
    [{ operations: ['nothing.at_all'] }, 'nothing.at_all'],
    [{ operations: ['record_store.list_records'] }, 'data.collectionIds'],
    [{ operations: ['record_store.get_record'], data: { collectionIds: ['col_other'] } }, 'col_other'],
    [{ resource: 'https://other.example.com/mcp' }, 'resource'],
    [{ redirectUri: 'https://other.example.com/' }, 'redirectUri'],
    [{ clientId: 'unknown' }, 'clientId'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    [{ expiresAt: '2999-01-01T00:00:00Z' }, 'expiresAt'],
    [{ codeChallenge: 'short' }, 'codeChallenge'],
  ])('with %o is refused, naming %s', async (changes, named) => {
    expect(expectError(await consent(changes), 'invalid_request').message).toContain(named);
  });

  test('shows the page what the Member may allow', async () => {
    const clientId = await agents.register();
    const query = new URLSearchParams({ client_id: clientId, redirect_uri: REDIRECT });
    const ask = (token: string) =>
      agents.http.get(`/api/v1/agent-authorizations?${query}`).auth(token, { type: 'bearer' });
    const { member, owner } = agents.workspace;
    const { status, body } = await ask(member.token);
    expect([status, body.client, body.maxDays]).toEqual([200, { id: clientId, name: 'Example Agent' }, 366]);
    expect(body.operations).toContain('record_store.push_record');
    expect(body.operations).not.toContain('record_store.delete_record');
    expect((await ask(owner.token)).body.operations).toContain('record_store.delete_record');
  });
});

describe('an agent', () => {
  test('sees the tools and the data of its grant alone, under the name of the program', async () => {
    const { owner } = agents.workspace;
    const collection = await agents.harness.newCollection(owner.token);
    const other = (
      await agents.harness.execute(owner.token, { id: 'record_store.create_collection' }, { name: 'other' })
    ).body.result.collection.id;
    const operations = [
      'record_store.get_record',
      'record_store.list_collections',
      'record_store.list_records',
    ];
    const { tokens } = await agents.signedIn({ operations, data: { collectionIds: [collection] } });
    const { body } = await new McpClient(agents.harness, tokens.access_token).modern('tools/list');
    expect(body.result.tools.map(({ name }: { name: string }) => name)).toEqual(
      operations.map((id) => id.replace('.', '__')),
    );
    const listed = await agents.harness.execute(tokens.access_token, listCollections, {});
    expect(listed.body.result.collections.map(({ id }: { id: string }) => id)).toEqual([collection]);
    const read = (collection_id: string) =>
      agents.outcome(tokens.access_token, 'record_store.list_records', { collection_id });
    expect([await read(collection), await read(other)]).toEqual(['ok', 'grant_data_scope_exceeded']);
    expect(await agents.outcome(tokens.access_token, 'record_store.push_record', {})).toBe(
      'grant_scope_exceeded',
    );
  });
});

describe('other requests', () => {
  test.each([
    ['get', '/oauth/token', 405],
    ['put', '/oauth/register', 405],
    ['post', '/oauth/unknown', 404],
  ] as const)('%s %s is answered in the form of OAuth', async (method, path, status) => {
    const answer = await agents.http[method](path);
    expect([answer.status, answer.body.error]).toEqual([status, 'invalid_request']);
  });

  test.each([
    ['application/json', '{"grant_type":"refresh_token"}'],
    ['application/x-www-form-urlencoded', 'grant_type=refresh_token&grant_type=refresh_token'],
    ['application/x-www-form-urlencoded', ''],
    ['application/x-www-form-urlencoded', `grant_type=${'a'.repeat(20_000)}`],
    ['application/x-www-form-urlencoded', '__proto__=1&grant_type=__proto__'],
  ])('of the token endpoint with %s %s are refused', async (type, body) => {
    const answer = await agents.http.post('/oauth/token').type(type).send(body);
    expect(answer.status).toBe(400);
    expect(['invalid_request', 'unsupported_grant_type']).toContain(answer.body.error);
  });
});
