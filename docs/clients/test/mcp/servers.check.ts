import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { LocalPlatform } from '../../../../e2e/src/local-platform.ts';
import { definitionsOfTools } from '../../../../libs/console/browser/pages/custom-operations/mcp-tools.js';
import { bearer, type Connection, connections } from './connections.ts';
import { everything, filesystem, jsonServer, startFastMcp, startStateless } from './servers.ts';

/** Connectors need a console, which the platform of the other files has not: its Members sign in elsewhere. */
const platform = new LocalPlatform();
const folder = mkdtempSync(join(tmpdir(), 'mcp-servers-'));
/** An Owner's token of a sign-in of now, and one for `/mcp`. */
let [fresh, token] = ['', ''];
const stops: (() => unknown)[] = [];
before(async () => {
  await platform.start();
  const { workspace_id, owner } = platform.demo;
  fresh = await platform.operator.freshToken(workspace_id, owner.user_id);
  token = await platform.operator.token(workspace_id, owner.user_id);
});
after(async () => {
  for (const stop of stops) await stop();
  await platform.remove();
  rmSync(folder, { recursive: true });
});

/** Calls an operation as the Owner; its result. */
const call = async (operation: string, input: object) =>
  (await request('POST', `/api/v1/operations/${operation}`, input)).result;

/** Sends a request as an Owner who has just signed in; its answer. */
async function request(method: string, path: string, body?: object): Promise<any> {
  const headers = { ...bearer(fresh), 'Content-Type': 'application/json' };
  const response = await fetch(platform.demo.base_url + path, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as any;
  assert.equal(response.status, 200, `${method} ${path}: ${answer.error?.message}`);
  return answer;
}

/** Makes a connector to a server, and an operation of each of its tools, as the console does. */
async function importTools(name: string, baseUrl: string) {
  await request('PUT', `/api/v1/connectors/${name}`, { kind: 'mcp', baseUrl, auth: { type: 'none' } });
  assert.deepEqual(await request('POST', `/api/v1/connectors/${name}/check`), { reachable: true });
  const { tools, truncated } = await request('GET', `/api/v1/connectors/${name}/tools`);
  assert.equal(truncated, false);
  const imported = definitionsOfTools(tools, name);
  for (const { id, source, definition, problem } of imported) {
    assert.equal(problem, undefined, source);
    await request('PUT', `/api/v1/custom-operations/${id}`, definition);
  }
  return imported.map(({ id, source }) => ({ source, tool: id.replace('.', '__') }));
}

/** Expects that calls through the platform give what the official client gets from the server itself. */
async function requireAlike(
  name: string,
  url: string,
  calls: readonly (readonly [tool: string, args: Record<string, unknown>])[],
): Promise<Connection> {
  const imported = await importTools(name, url);
  const direct = await connections['@modelcontextprotocol/client that discovers']!(url, {});
  assert.deepEqual(
    imported.map(({ source }) => source).toSorted(),
    (await direct.tools()).map((tool) => tool.name).toSorted(),
  );
  const through = await connections['@modelcontextprotocol/client that discovers']!(
    `${platform.demo.base_url}/mcp?only=custom.${name}_*`,
    bearer(token),
  );
  const listed = await through.tools();
  assert.deepEqual(
    listed.map((tool) => tool.name),
    imported.map(({ tool }) => tool).toSorted(),
  );
  for (const [source, args] of calls) {
    const { tool } = imported.find((each) => each.source === source)!;
    const takesKey = listed
      .find((each) => each.name === tool)!
      .inputSchema.required?.includes('idempotency_key');
    const called = await through.call(tool, {
      ...args,
      ...(takesKey && { idempotency_key: crypto.randomUUID() }),
    });
    const { content, structuredContent, isError } = await direct.call(source, args);
    const said = JSON.parse(called.content[0]!.text!);
    if (isError) {
      const { code, message } = said.error;
      assert.deepEqual(
        [code, message.endsWith(content[0]!.text!)],
        ['custom_operation_refused', true],
        message,
      );
      continue;
    }
    assert.equal(called.isError, undefined, JSON.stringify(said));
    assert.deepEqual(said.result, {
      content: content.map(shown),
      ...(structuredContent !== undefined && { structuredContent }),
    });
  }
  await direct.close();
  return through;
}

/** An item of a result as the platform passes it on. */
function shown(item: any): object {
  if (item.type === 'text') return item;
  const { mimeType, data, blob, text = '' } = item.resource ?? item;
  const bytes = (data ?? blob) ? Buffer.from(data ?? blob, 'base64').length : Buffer.byteLength(text);
  return { type: item.type, mimeType, bytes };
}

describe('the tools of a server become operations, which answer as it does:', () => {
  test('server-everything, also after it was started anew', async () => {
    const server = everything();
    stops.push(() => server.stop());
    const through = await requireAlike('everything', await server.start(), [
      ['echo', { message: 'é "\n' }],
      ['get-sum', { a: 1.5, b: 2 }],
      ['get-tiny-image', {}],
      ['get-structured-content', { location: 'New York' }],
      ['get-annotated-message', { messageType: 'error', includeImage: true }],
    ]);
    await server.stop();
    await server.start();
    const args = { message: 'again' };
    const { isError, content } = await through.call('custom__everything_echo', args);
    assert.deepEqual(
      [isError, content[0]!.text],
      [undefined, '{"result":{"content":[{"type":"text","text":"Echo: again"}]}}'],
    );
    await through.close();
  });

  test('server-filesystem behind supergateway', async () => {
    writeFileSync(join(folder, 'a.txt'), 'hello é');
    const server = filesystem(folder);
    stops.push(() => server.stop());
    const through = await requireAlike('files', await server.start(), [
      ['list_allowed_directories', {}],
      ['read_text_file', { path: join(folder, 'a.txt') }],
      ['read_text_file', { path: join(folder, 'absent.txt') }],
    ]);
    const args = { path: join(folder, 'b.txt'), content: '1.0', idempotency_key: 'b' };
    for (const _ of [1, 2])
      assert.equal((await through.call('custom__files_write_file', args)).isError, undefined);
    assert.equal(readFileSync(join(folder, 'b.txt'), 'utf8'), '1.0');
    await through.close();
  });

  test('fastmcp', async () => {
    const { url, stop } = await startFastMcp();
    stops.push(stop);
    await (await requireAlike('fast', url, [['add', { a: 1, b: 2.5 }]])).close();
  });

  test('@modelcontextprotocol/server, which serves revision 2026-07-28 alone', async () => {
    const { url, stop } = await startStateless();
    stops.push(stop);
    const calls = [
      ['pay_invoice', { amount: 1.5 }],
      ['pay_invoice', { amount: -1 }],
    ] as const;
    await (await requireAlike('stateless', url, calls)).close();
  });
});

test('a REST API of json-server is read and written through a connector', async () => {
  const file = join(folder, 'db.json');
  writeFileSync(file, JSON.stringify({ orders: [{ id: 1, total: 9.5 }] }));
  const server = jsonServer(file);
  stops.push(() => server.stop());
  await request('PUT', '/api/v1/connectors/orders', {
    kind: 'http',
    baseUrl: await server.start(),
    auth: { type: 'none' },
  });
  const register = (id: string, definition: object) =>
    request('PUT', `/api/v1/custom-operations/custom.${id}`, {
      ...{ title: 'An order', description: 'An order.', availability: 'workspace_member' },
      ...definition,
    });
  const inputSchema = (properties: object, required: string[]) => ({
    type: 'object',
    additionalProperties: false,
    properties,
    required,
  });
  await register('get_order', {
    effect: 'read',
    target: { connector: 'orders', method: 'get', path: '/orders/{id}' },
    inputSchema: inputSchema({ id: { type: 'integer' } }, ['id']),
  });
  await register('new_order', {
    effect: 'write',
    target: { connector: 'orders', method: 'post', path: '/orders' },
    inputSchema: inputSchema({ total: { type: 'number' } }, ['total']),
  });
  assert.deepEqual(await call('custom.get_order', { id: 1 }), { status: 200, body: { id: 1, total: 9.5 } });
  const order = { total: 3, idempotency_key: 'order-2' };
  const made = { status: 201, body: { total: 3, id: 2 } };
  assert.deepEqual(await call('custom.new_order', order), made);
  assert.deepEqual(await call('custom.new_order', order), made);
  await assert.rejects(call('custom.get_order', { id: 3 }), /status 404/);
});
