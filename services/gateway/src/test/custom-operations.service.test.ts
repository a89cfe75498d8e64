import { busHeaders } from '@action-platform/contracts/bus';
import { authorize, discover, findCustomOperation, publicKeys } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { type CustomOperation, customCall, getRecord } from '@action-platform/contracts/operations';
import { anOwner } from '@action-platform/testing';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { definition } from './custom-definition.ts';
import { expectError } from './harness.ts';
import { McpClient } from './mcp-client.ts';
import { gatewayWithStandIns, json } from './stand-ins.ts';

const PUBLIC_URL = 'https://platform.example.com';
const ID = definition.id;
const { harness, standIns } = gatewayWithStandIns([customCall, getRecord], { PUBLIC_URL });

/** Grants finds the custom operation with this effect. */
function found(effect: 'read' | 'write') {
  const headers = { [busHeaders.customOperation]: JSON.stringify({ id: ID, revision: 1, effect }) };
  standIns.answers.set(authorize.subject, { ...json(anOwner()), headers });
}

/** Grants lists it with a revision, besides a built-in operation. */
function listed(revision: number, changed: Partial<CustomOperation> = {}) {
  standIns.answers.set(
    discover.subject,
    json({
      operations: [ID, getRecord.id],
      custom: { workspaceId: 'ws_1', revisions: { [ID]: revision } },
    }),
  );
  standIns.answers.set(findCustomOperation.subject, json({ ...definition, revision, ...changed }));
}

const call = (body: object | string = { order_id: '1', idempotency_key: 'k' }) =>
  harness.execute(harness.token, { id: ID }, body);

describe('a call of a custom operation', () => {
  test('is sent after its authorization alone, also a read of a caller whom grants allowed before', async () => {
    standIns.answers.set(getRecord.subject, json({ result: {} }));
    await harness.execute(harness.token, getRecord, getRecord.example);
    found('read');
    standIns.answers.set(authorize.subject, new ActionError('unknown_operation'));
    expectError(await call(), 'unknown_operation');
    expect(standIns.asked(customCall.subject)).toEqual([]);
  });

  test('that reads is sent once, and its lost answer is a 503; that of a write is a 502', async () => {
    standIns.answers.set(customCall.subject, async () => new ActionError('action_infrastructure_failure'));
    found('read');
    expectError(await call(), 'action_platform_unavailable');
    found('write');
    expectError(await call(), 'action_infrastructure_failure');
    expect(standIns.asked(customCall.subject)).toHaveLength(2);
  });

  test('is not made when grants names no custom operation', async () => {
    standIns.answers.set(authorize.subject, json(anOwner()));
    expectError(await call(), 'action_platform_unavailable');
    expect(standIns.asked(customCall.subject)).toEqual([]);
  });

  test('has at most 64 KiB', async () => {
    found('write');
    expectError(await call({ order_id: 'x'.repeat(65 * 1024) }), 'request_body_too_large');
    expect(standIns.asked(customCall.subject)).toEqual([]);
  });

  test('with an id of another form is unknown without a question to its service', async () => {
    standIns.answers.set(authorize.subject, new ActionError('unknown_operation'));
    for (const id of ['custom.x', 'custom.A_b', 'custom', 'custom.a__b'])
      expectError(await harness.execute(harness.token, { id }, {}), 'unknown_operation');
    expect(standIns.asked(customCall.subject)).toEqual([]);
  });
});

describe('a list', () => {
  const list = (query = '') =>
    harness.http.get(`/api/v1/operations${query}`).auth(harness.token, { type: 'bearer' });

  test('has custom operations among the others, each with its declared errors', async () => {
    listed(1);
    const { body } = await list();
    expect(body.operations.map(({ id }: { id: string }) => id)).toEqual([ID, getRecord.id]);
    const [described] = body.operations;
    expect(described.inputSchema.required).toEqual(['order_id', 'idempotency_key']);
    expect(described.errors).toContainEqual({
      ...definition.refusals[0],
      docs_url: '/docs/errors/custom_operation_refused',
    });
  });

  test('follows the revision that grants names, and asks for each once', async () => {
    const titles = async () => (await list()).body.operations.map(({ title }: { title: string }) => title)[0];
    listed(5);
    for (const _ of [1, 2]) expect(await titles()).toBe('Refund an order');
    listed(6, { title: 'Refund' });
    for (const query of ['', '?view=tools', '?view=openapi', '']) await list(query);
    expect(await titles()).toBe('Refund');
    expect(standIns.asked(findCustomOperation.subject)).toHaveLength(2);
  });

  test('leaves out one that was removed meanwhile', async () => {
    listed(7, { status: 'removed' });
    expect((await list()).body.operations.map(({ id }: { id: string }) => id)).toEqual([getRecord.id]);
  });

  test('as an OpenAPI document has what the caller can call', async () => {
    listed(1);
    const { body } = await list('?view=openapi');
    const paths = Object.keys(body.paths).filter((path) => path.startsWith('/api/v1/operations/'));
    expect(paths).toEqual([`/api/v1/operations/${ID}`, `/api/v1/operations/${getRecord.id}`]);
    expect(body.components.schemas.CustomRefundOrderInput.required).toContain('idempotency_key');
    const refused = body.paths[paths[0]!].post.responses[400].content['application/json'].schema;
    expect(JSON.stringify(refused)).toContain('"custom_no_order"');
    const { paths: ofAnyone } = (await harness.http.get('/api/v1/openapi.json')).body;
    expect(Object.keys(ofAnyone)).not.toContain(paths[0]);
  });

  test('as OpenAPI documents of many operations leaves time for other calls, and for documents of other Workspaces', async () => {
    const document = async (outputDefinition: string, token = harness.token) => {
      const many = Array<string>(5_000).fill(getRecord.id);
      const granted = { operations: many, routine: { data: {}, outputDefinition } };
      standIns.answers.set(discover.subject, json(granted));
      return await harness.http.get('/api/v1/operations?view=openapi').auth(token, { type: 'bearer' });
    };
    expect((await document('first')).status).toBe(200);
    expect((await document('second')).status).toBe(200);
    expectError(await document('third'), 'action_platform_unavailable');
    expect((await document('first')).status).toBe(200);
    const another = await harness.issuer.token({ workspaceId: 'ws_another', userId: 'u' });
    expect((await document('fourth', another)).status).toBe(200);
    listed(1);
    expect((await list()).status).toBe(200);
  });
});

describe('at /mcp', () => {
  const client = () => new McpClient(harness, harness.token);

  test('a custom operation is a tool without a structured result', async () => {
    listed(1);
    const { tools } = (await client().modern('tools/list')).body.result;
    expect(tools[0]).toMatchObject({
      name: 'custom__refund_order',
      inputSchema: { required: ['order_id', 'idempotency_key'] },
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    });
    expect(tools[0]).not.toHaveProperty('outputSchema');
  });

  test('an unknown one, and on a read-only connection one that writes, is no tool', async () => {
    const refused = async (query = '') => {
      const mcp = client();
      mcp.query = query;
      const { body } = await mcp.modern('tools/call', { name: 'custom__refund_order', arguments: {} });
      return body.error?.message;
    };
    found('write');
    expect(await refused('?read_only=true')).toBe('This connection is read-only.');
    standIns.answers.set(authorize.subject, new ActionError('unknown_operation'));
    expect(await refused()).toMatch(/^No tool has this name\./);
    expect(standIns.asked(customCall.subject)).toEqual([]);
    found('read');
    expect(await refused('?read_only=true')).toBeUndefined();
    listed(1);
    const mcp = client();
    mcp.query = '?read_only=true';
    const { tools } = (await mcp.modern('tools/list')).body.result;
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(['record_store__get_record']);
  });
});

describe('the issuer of the tokens for endpoints', () => {
  const keys = { keys: [{ kty: 'EC', crv: 'P-256', kid: '1', x: 'x', y: 'y' }] };
  beforeAll(() => harness.platform.answer(publicKeys, () => keys));

  test('has its keys and the metadata of each Workspace at the public URL', async () => {
    const workspace = `ws_${'0'.repeat(32)}`;
    const metadata = await harness.http.get(`/workspaces/${workspace}/.well-known/openid-configuration`);
    expect(metadata.body).toMatchObject({
      issuer: `${PUBLIC_URL}/workspaces/${workspace}`,
      jwks_uri: `${PUBLIC_URL}/.well-known/jwks.json`,
      id_token_signing_alg_values_supported: ['ES256'],
    });
    expect((await harness.http.get('/.well-known/jwks.json')).body).toEqual(keys);
    expectError(await harness.http.get('/workspaces/x/.well-known/openid-configuration'), 'route_not_found');
  });
});
