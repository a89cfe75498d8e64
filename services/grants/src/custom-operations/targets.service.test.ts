import { findConnector } from '@action-platform/contracts/calls';
import { customOperationRoutes, type SessionClaims } from '@action-platform/contracts/resources';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { expectInvalid, outcomeOf, testAuthority } from '../test-support/test-authority.ts';

const authority = testAuthority({ environment: { PUBLIC_URL: 'https://platform.example.com' } });
const { put, get } = customOperationRoutes;

const CONNECTORS: Readonly<Record<string, { id: string; kind: 'http' | 'mcp'; takesKey: boolean }>> = {
  shop: { id: `cnr_${'0'.repeat(32)}`, kind: 'http', takesKey: false },
  keyed: { id: `cnr_${'1'.repeat(32)}`, kind: 'http', takesKey: true },
  server: { id: `cnr_${'2'.repeat(32)}`, kind: 'mcp', takesKey: false },
  keyed_server: { id: `cnr_${'3'.repeat(32)}`, kind: 'mcp', takesKey: true },
};
beforeAll(async () => {
  await authority.platform.answer(findConnector, ({ name }) => ({ found: CONNECTORS[name] }));
});

const id = 'custom.refund_order';
const string = { type: 'string' } as const;
const properties = { order_id: string, reason: string, lines: { type: 'array', items: string } } as const;
const definition = {
  ...{ id, title: 'Refund', description: 'Refunds an order.' },
  effect: 'write',
  availability: 'workspace_member',
  inputSchema: { type: 'object', properties, required: ['order_id'], additionalProperties: false },
} as const;
const target = { connector: 'shop', method: 'post', path: '/orders/{order_id}/refunds' } as const;
const tool = { connector: 'server', tool: 'create_issue', digest: '0'.repeat(64) } as const;
const register = (owner: SessionClaims, more: object) =>
  authority.manage(owner, put, { ...definition, ...more });

describe('a target', () => {
  test('takes the place of a URL, and gives way to one', async () => {
    const owner = await authority.member({ role: 'owner' });
    const { operation } = await register(owner, { target });
    expect(operation).toMatchObject({
      target: { ...target, repeats: 'never' },
      connectorId: CONNECTORS.shop!.id,
      revision: 1,
    });
    expect(operation).not.toHaveProperty('url');
    expect(await register(owner, { target })).toEqual({ operation });
    const elsewhere = await register(owner, { url: 'https://orders.example.com/' });
    expect(elsewhere.operation).toMatchObject({ url: 'https://orders.example.com/', revision: 2 });
    for (const field of ['target', 'connectorId']) expect(elsewhere.operation).not.toHaveProperty(field);
    expect(await authority.manage(owner, get, { id })).toEqual(elsewhere);
  });

  test.each([
    ['keyed', 'post', 'key'],
    ['keyed', 'put', 'key'],
    ['shop', 'put', 'safe'],
    ['shop', 'delete', 'safe'],
    ['shop', 'patch', 'never'],
  ] as const)('of %s with %s repeats by default: %s', async (connector, method, repeats) => {
    const owner = await authority.member({ role: 'owner' });
    const { operation } = await register(owner, { target: { ...target, connector, method } });
    expect(operation.target).toMatchObject({ repeats });
  });

  test.each([
    ['server', undefined, 'never'],
    ['keyed_server', undefined, 'key'],
    ['server', 'safe', 'safe'],
  ] as const)(
    'is a tool of %s; with repeats %s a repeated write does: %s',
    async (connector, asked, repeats) => {
      const owner = await authority.member({ role: 'owner' });
      const { operation } = await register(owner, {
        target: { ...tool, connector, ...(asked && { repeats: asked }) },
      });
      expect(operation.target).toEqual({ ...tool, connector, repeats });
    },
  );

  test.each<[string, object]>([
    ['target', { target: { ...tool, connector: 'shop' } }],
    ['target', { target: { ...target, connector: 'server' } }],
    ['target.digest', { target: { connector: 'server', tool: 'a' } }],
    ['target.tool', { target: { connector: 'server', digest: tool.digest } }],
    ['target.tool', { target: { ...tool, tool: '' } }],
    ['target.digest', { target: { ...tool, digest: 'A'.repeat(64) } }],
    ['target.method', { target: { ...tool, method: 'get' } }],
    ['target.path', { target: { ...tool, path: '/' } }],
    ['target.method', { target: { connector: 'shop', path: '/' } }],
    ['target.path', { target: { connector: 'shop', method: 'get' } }],
    ['target.repeats', { target: { ...tool, repeats: 'key' } }],
    ['refusals', { target: tool, refusals: [{ code: 'custom_no', message: 'No.', next: 'Ask.' }] }],
    ['url', {}],
    ['url', { target, url: 'https://orders.example.com/' }],
    ['refusals', { target, refusals: [{ code: 'custom_no', message: 'No.', next: 'Ask.' }] }],
    ['target.connector', { target: { ...target, connector: 'other' } }],
    ['target.connector', { target: { ...target, connector: 'Shop!' } }],
    ['target.method', { target: { ...target, method: 'head' } }],
    ['target.repeats', { target: { ...target, repeats: 'key' } }],
    ...[
      'orders',
      '//host',
      '/a//b',
      '/{order_id}/..',
      '/./a',
      '/%2e%2E/a',
      '/.%2e',
      '/a?b',
      '/a#b',
      '/a b',
      '/{unknown}',
      '/{reason}',
      '/{}',
      '/é',
      '/%zz',
    ].map((path): [string, object] => ['target.path', { target: { ...target, path } }]),
    ['target.query', { target: { ...target, query: ['unknown'] } }],
    ['target.query', { target: { ...target, query: ['order_id'] } }],
    ['target.query', { target: { ...target, query: ['reason', 'reason'] } }],
    ['target.query', { target: { ...target, query: ['reason'], method: 'get' } }],
    ['target', { target: { ...target, query: ['lines'] } }],
    ['target', { target: { ...target, body: 'form' } }],
  ])('is refused, naming %s: %j', async (field, more) => {
    const owner = await authority.member({ role: 'owner' });
    await expectInvalid(register(owner, more), RegExp.escape(field));
  });

  test('may end with a slash, and be the address of the connector alone', async () => {
    const owner = await authority.member({ role: 'owner' });
    for (const path of ['/', '/orders/', '/orders/{order_id}.json', "/o:1;a=b@!$&'()*+,~%20"])
      expect(await outcomeOf(register(owner, { target: { ...target, path } }))).toBe('ok');
  });
});
