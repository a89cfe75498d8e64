import { targetProblem } from '@action-platform/contracts/operations';
import { connectorRoutes, customOperationRoutes } from '@action-platform/contracts/resources';
import { expect, test } from '@jest/globals';
import { connectorOf, valuesOfConnector } from '../browser/pages/custom-operations/connector-values.js';
import {
  besideKnown,
  chosenDefinition,
  firstChoice,
  ordered,
} from '../browser/pages/custom-operations/import-choice.js';
import { definitionsOfTools } from '../browser/pages/custom-operations/mcp-tools.js';
import { definitionsOf } from '../browser/pages/custom-operations/openapi.js';

const document = {
  openapi: '3.1.0',
  paths: {
    '/orders/{id}': {
      get: { operationId: 'orders/get' },
      post: { operationId: 'orders/change' },
      delete: { operationId: 'orders/delete' },
    },
  },
};
const imported = definitionsOf(document, 'shop');
const stored = (id: string, target: object, more = {}) =>
  ({ id, target: { connector: 'shop', ...target }, revision: 4, effect: 'write', ...more }) as never;

test('a row has the id of the operation that sends the same request, and else one that is free', () => {
  const rows = besideKnown(imported, [
    stored('custom.read_an_order', { method: 'get', path: '/orders/{id}' }),
    stored('custom.orders_change', { connector: 'other', method: 'post', path: '/orders/{id}' }),
    stored('custom.orders_change_2', { connector: 'other', method: 'post', path: '/orders/{id}' }),
  ]);
  expect(rows.map(({ id, former }) => [id, former?.id])).toEqual([
    ['custom.read_an_order', 'custom.read_an_order'],
    ['custom.orders_change_3', undefined],
    ['custom.orders_delete', undefined],
  ]);
});

test('a new row is registered as chosen, and what is fixed for good stays of one that is known', () => {
  const former = { effect: 'read', destructive: false, availability: 'owner_workspace', timeoutMs: 8000 };
  const rows = besideKnown(imported, [
    stored('custom.of_owners', { method: 'delete', path: '/orders/{id}' }, former),
  ]);
  const [read, change, removal] = rows.map((row) => firstChoice(row, false));
  expect([read?.effect, change?.repeats, removal]).toEqual([
    'read',
    'never',
    { isTicked: false, effect: 'read', destructive: false, repeats: 'safe' },
  ]);
  expect(firstChoice(rows[1]!, true).repeats).toBe('key');
  const chosen = { isTicked: true, effect: 'write', destructive: true, repeats: 'safe' };
  const body = chosenDefinition(rows[1]!, chosen, 'workspace_member');
  expect(body).toMatchObject({
    ...{ effect: 'write', destructive: true, availability: 'workspace_member', expectedRevision: 0 },
    target: { method: 'post', repeats: 'safe' },
  });
  expect(customOperationRoutes.put.input.safeParse({ id: rows[1]!.id, ...body }).error).toBeUndefined();
  expect(targetProblem({ refusals: [], ...body })).toBeUndefined();
  expect(chosenDefinition(rows[2]!, removal!, 'workspace_member')).toMatchObject({
    ...{ effect: 'read', destructive: false, availability: 'owner_workspace', timeoutMs: 8000 },
    expectedRevision: 4,
  });
  expect(chosenDefinition(rows[0]!, { ...chosen, effect: 'read' }, 'owner_workspace')).toMatchObject({
    destructive: false,
    target: expect.not.objectContaining({ repeats: expect.anything() }),
  });
});

test('a tool becomes a definition with its digest, and says why when it cannot', () => {
  const inputSchema = {
    type: 'object',
    properties: { path: { $ref: '#/$defs/path' }, limit: { type: 'integer', multipleOf: 2 } },
    required: ['path'],
    $defs: { path: { type: 'string', description: 'Where.' } },
  };
  const tool = {
    name: 'readFile',
    description: 'Reads.',
    inputSchema,
    annotations: {},
    digest: 'a'.repeat(64),
  };
  const rows = definitionsOfTools(
    [
      { ...tool, title: 'Read a file', annotations: { readOnlyHint: true, destructiveHint: true } },
      { ...tool, name: 'write', annotations: { idempotentHint: true, destructiveHint: true } },
      { ...tool, name: 'clear', inputSchema: { type: 'object' } },
      {
        ...tool,
        name: 'odd',
        inputSchema: { type: 'object', properties: { 'a-b': {}, c: {} }, required: ['a-b'] },
      },
      { ...tool, name: 'twice', problem: 'Two tools have this name.' },
    ],
    'docs',
  );
  expect(rows).toMatchObject([
    {
      ...{ id: 'custom.docs_read_file', source: 'readFile', losses: ['multipleOf is left to the API'] },
      definition: {
        ...{ title: 'Read a file', description: 'Reads.', effect: 'read', destructive: false },
        inputSchema: {
          properties: { path: { type: 'string', description: 'Where.' }, limit: { type: 'integer' } },
          ...{ required: ['path'], additionalProperties: false },
        },
        target: { connector: 'docs', tool: 'readFile', digest: tool.digest },
      },
    },
    { definition: { title: 'write', effect: 'write', destructive: true, target: { repeats: 'safe' } } },
    { definition: { inputSchema: { properties: {} } } },
    { problem: expect.stringContaining('a-b') },
    { problem: 'Two tools have this name.' },
  ]);
  const former = stored('custom.mine_own', { connector: 'docs', tool: 'readFile', digest: 'b'.repeat(64) });
  const [changed] = besideKnown(rows, [former]);
  expect(changed).toMatchObject({ id: 'custom.mine_own', isChanged: true });
});

test('equal definitions have equal texts', () => {
  expect(JSON.stringify(ordered({ b: [{ d: 1, c: null }], a: undefined, e: 'x' }))).toBe(
    '{"b":[{"c":null,"d":1}],"e":"x"}',
  );
});

test('a connector is the same after its form, without a secret that nobody entered', () => {
  const known = {
    ...{ kind: 'http', baseUrl: 'https://a.example.com', idempotencyHeader: 'Idempotency-Key' },
    auth: { type: 'client_credentials', tokenUrl: 'https://t.example.com', clientId: 'c' },
    headers: { Accept: 'a: b', 'X-Version': '1' },
  };
  expect(connectorOf(valuesOfConnector(known as never), known as never)).toEqual(known);
  const made = {
    kind: 'http',
    baseUrl: 'https://b.example.com',
    type: 'header',
    'auth.name': 'X-Key',
    secret: 's',
  };
  expect(connectorOf(made)).toEqual({
    ...{ kind: 'http', baseUrl: 'https://b.example.com' },
    auth: { type: 'header', name: 'X-Key', secret: 's' },
  });
  expect(connectorRoutes.put.input.safeParse({ name: 'shop', ...connectorOf(made) }).error).toBeUndefined();
});
