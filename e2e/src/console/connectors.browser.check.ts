import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Page } from '@action-platform/testing/browser';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeConsole, untilLoaded, visit } from './console-stack.ts';

/** As many operations as GitHub's document has, and as many as a Workspace takes. */
const MANY = 1223;
const MOST = 300;

describeConsole('connectors at the console', (stack) => {
  let api: Server;
  let url = '';
  const seen: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[] = [];
  let about = 'Adds two numbers.';
  /** The answer of an MCP server to a message. */
  const answerOf = ({ id, method }: { id?: number; method: string }) => {
    const number = { type: 'number' };
    const inputSchema = { type: 'object', properties: { a: number, b: number }, required: ['a', 'b'] };
    const tool = { name: 'add', description: about, inputSchema, annotations: { readOnlyHint: true } };
    const results: Record<string, object> = {
      initialize: {
        ...{ protocolVersion: '2025-11-25', capabilities: { tools: {} } },
        serverInfo: { name: 'sums', version: '1' },
      },
      'tools/list': { tools: [tool] },
      'tools/call': { content: [{ type: 'text', text: '3' }] },
    };
    const result = results[method];
    return result
      ? { jsonrpc: '2.0', id, result }
      : { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } };
  };
  beforeAll(async () => {
    api = createServer(async (request, response) => {
      if (request.url === '/mcp') {
        const message = request.method === 'POST' ? ((await json(request)) as never) : undefined;
        const isNote = (message as { id?: number } | undefined)?.id === undefined;
        if (isNote) return void response.writeHead(message ? 202 : 405).end();
        response.writeHead(200, { 'content-type': 'application/json' });
        return void response.end(JSON.stringify(answerOf(message as never)));
      }
      seen.push(request);
      const isKnown = request.headers.authorization === 'Bearer shop-secret-0123';
      response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' }).end('{"ok":true}');
    });
    await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  });
  afterAll(() => void api.close());

  const dialogOf = (page: Page) => page.locator('dialog[open]');
  const rowOf = (page: Page, text: string) => page.getByRole('row', { name: text }).first();

  test('an Owner adds one, checks it, and replaces its secret', async () => {
    const page = await stack.openAs('demo-owner', '/console/connectors');
    await untilLoaded(page);
    await page.getByRole('button', { name: 'Add a connector' }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('Name, fixed for good').fill('shop');
    await dialog.getByLabel('Address, fixed for good').fill('http://10.0.0.1');
    await dialog.locator('[name=secret]').fill('wrong-secret-9876');
    await dialog.locator('[name=headers]').fill('X-Api-Version: 2026-01-01');
    expect(await dialog.locator('.curl').textContent()).not.toContain('wrong-secret');
    const save = dialog.getByRole('button', { name: 'Save the connector' });
    await save.click();
    await dialog.locator('[data-field=baseUrl] .field-problem').waitFor();
    await dialog.getByLabel('Address, fixed for good').fill(url);
    await dialog.getByLabel('Each request has').selectOption('header');
    await dialog.getByLabel('Header', { exact: true }).fill('Host');
    await save.click();
    await dialog.locator('[data-field="auth.name"] .field-problem').waitFor();
    await dialog.getByLabel('Each request has').selectOption('bearer');
    await save.click();
    await dialog.waitFor({ state: 'hidden' });
    await rowOf(page, 'shop').getByText('its secret ends in 9876').waitFor();

    const check = page.getByRole('button', { name: 'Check shop' });
    await check.click();
    await page.locator('.report:focus').getByText('credential_refused').waitFor();
    await rowOf(page, 'shop').getByRole('button', { name: 'Change' }).click();
    await dialog.locator('[name=secret]').fill('shop-secret-0123');
    await save.click();
    await dialog.waitFor({ state: 'hidden' });
    await check.click();
    await page.locator('.report').getByText('shop answers.').waitFor();
    expect(seen.at(-1)!.headers['x-api-version']).toBe('2026-01-01');
    expect(await page.content()).not.toContain('shop-secret');
    stack.expectNothingForeign();
  });

  const yaml = `openapi: 3.1.0
info: {title: Shop, version: '1'}
paths:
  /orders/{id}:
    get:
      operationId: orders/getOne
      summary: Read an order
    post:
      operationId: orders/changeOne
      summary: Change an order
      requestBody:
        content:
          application/json:
            schema: {type: object, properties: {note: {type: string, pattern: '^a'}}}
    delete:
      operationId: orders/deleteOne
      summary: Delete an order
`;

  const other = { connector: 'shop', method: 'put', path: '/orders/{id}' };

  test('operations of a YAML document are registered as ticked, a refused one stays, and a changed one is compared', async () => {
    const page = await stack.openAs('demo-owner', '/console/connectors/shop');
    await untilLoaded(page);
    const read = async (text: string) => {
      await page.getByLabel('Or its text').fill(text);
      await page.getByRole('button', { name: 'Read it' }).click();
    };
    await read('openapi: 2');
    await page.getByRole('alert').getByText('not one of OpenAPI 3').waitFor();
    await read(yaml);
    await rowOf(page, 'Change an order').getByText('pattern is left to the API').waitFor();
    expect(await page.getByLabel('Effect of custom.orders_get_one').inputValue()).toBe('read');
    expect(await rowOf(page, 'Delete an order').getByLabel('cannot be undone').isChecked()).toBe(true);
    expect(await page.getByLabel('Repetition of custom.orders_delete_one').inputValue()).toBe('safe');
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const wide = await page.evaluate('document.documentElement.scrollWidth');
      expect({ width, wide, problems: await stack.browser.problemsOf(page) }).toEqual({
        ...{ width, wide: width, problems: [] },
      });
    }
    await page.getByRole('button', { name: 'Tick these', exact: true }).click();
    await page.getByLabel('Repetition of custom.orders_change_one').selectOption('safe');
    await rowOf(page, 'Change an order').getByLabel('cannot be undone').check();

    // Somebody else takes an id meanwhile.
    const custom = '/api/v1/custom-operations/custom.orders_get_one';
    const theirs = {
      ...{ title: 'Theirs', description: 'Theirs.', effect: 'read', availability: 'workspace_member' },
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      url: 'https://orders.example.com/theirs',
    };
    await stack.owner.request('PUT', custom, theirs);
    await page.getByRole('button', { name: 'Register 3 operations' }).click();
    await page.getByText('2 of 3 operations registered, 1 refused').waitFor();
    await rowOf(page, 'Read an order').getByRole('alert').getByText('expectedRevision').waitFor();
    await page.getByRole('button', { name: 'Register 1 operation' }).waitFor();
    expect(await page.getByLabel('Effect of custom.orders_change_one').isDisabled()).toBe(true);
    const { operation } = await stack.owner.request(
      'GET',
      '/api/v1/custom-operations/custom.orders_change_one',
    );
    expect(operation).toMatchObject({
      ...{ effect: 'write', destructive: true, availability: 'workspace_member' },
      target: { connector: 'shop', method: 'post', path: '/orders/{id}', repeats: 'safe' },
    });
    const result = await stack.owner.execute('custom.orders_change_one', {
      ...{ id: 'a/b', note: 'x', idempotency_key: 'once' },
    });
    expect([result, seen.at(-1)!.url]).toEqual([{ status: 200, body: { ok: true } }, '/orders/a%2Fb']);

    // A document that has changed: the id that is taken has a free one beside it.
    await read(yaml.replace('Change an order', 'Change an order in full'));
    await rowOf(page, 'Read an order').getByText('custom.orders_get_one_2').waitFor();
    await rowOf(page, 'Change an order in full').getByRole('button', { name: 'Compare' }).click();
    await dialogOf(page).getByText('"title": "Change an order in full"').waitFor();
    await dialogOf(page).getByRole('button', { name: 'Take it over' }).click();
    await dialogOf(page).waitFor({ state: 'hidden' });
    const { operations } = await stack.owner.request('GET', '/api/v1/custom-operations');
    const changed = operations.find(({ id }: { id: string }) => id === 'custom.orders_change_one');
    expect(changed).toMatchObject({ title: 'Change an order in full', destructive: true, revision: 2 });

    await visit(page, '/console/custom-operations?q=orders_change_one');
    await rowOf(page, 'shop: POST /orders/{id}').getByRole('button', { name: 'Change' }).click();
    await dialogOf(page).getByLabel('Request of its connector').fill(JSON.stringify(other));
    await dialogOf(page).getByRole('button', { name: 'Save the operation' }).click();
    await rowOf(page, 'shop: PUT /orders/{id}').getByText('revision 3').waitFor();
    stack.expectNothingForeign();
  });

  test('a tool of an MCP server is registered, and taken over again once it has changed', async () => {
    const page = await stack.openAs('demo-owner', '/console/connectors');
    await untilLoaded(page);
    await page.getByRole('button', { name: 'Add a connector' }).click();
    await dialogOf(page).getByLabel('Name, fixed for good').fill('sums');
    await dialogOf(page).getByLabel('What it is').selectOption('mcp');
    await dialogOf(page).getByLabel('Address, fixed for good').fill(`${url}/mcp`);
    await dialogOf(page).getByLabel('Each request has').selectOption('none');
    await dialogOf(page).getByRole('button', { name: 'Save the connector' }).click();
    await page.getByRole('link', { name: 'Tools' }).click();
    const row = rowOf(page, 'custom.sums_add');
    await row.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Register 1 operation' }).click();
    await row.getByText('registered').waitFor();
    const { content } = await stack.owner.execute('custom.sums_add', { a: 1, b: 2 });
    expect(content).toEqual([{ type: 'text', text: '3' }]);

    about = 'Adds two numbers, and tells a friend.';
    await visit(page, '/console/connectors/sums');
    await page.getByText('The server has changed its tools').waitFor();
    await row.getByText('changed').waitFor();
    await row.getByRole('button', { name: 'Compare' }).click();
    await dialogOf(page).locator('b', { hasText: 'and tells a friend' }).waitFor();
    await dialogOf(page).getByRole('button', { name: 'Take it over' }).click();
    await row.getByText('registered').waitFor();
    const { operation } = await stack.owner.request('GET', '/api/v1/custom-operations/custom.sums_add');
    expect(operation).toMatchObject({ description: about, effect: 'read', revision: 2 });
    await stack.owner.execute('custom.sums_add', { a: 1, b: 2 });
  });

  test('a large file is searched, and fills the Workspace', async () => {
    const paths = Object.fromEntries(
      Array.from({ length: MANY }, (_, index) => [
        `/things/${index}`,
        {
          get: { operationId: `things/read${index}`, summary: `Read ${index}`, description: 'x'.repeat(500) },
        },
      ]),
    );
    const buffer = Buffer.from(JSON.stringify({ openapi: '3.0.0', paths }));
    const page = await stack.openAs('demo-owner', '/console/connectors/shop');
    await untilLoaded(page);
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'api.json', mimeType: 'application/json', buffer });
    await page.getByRole('button', { name: 'Read it' }).click();
    await page.getByText(`${MANY} operations.`).waitFor();
    await page.getByLabel(/^Search/).fill('read 1222');
    await page.getByText(`1 found among ${MANY}`).waitFor();
    await page.getByLabel(/^Search/).fill('');
    const tick = page.getByRole('button', { name: 'Tick these', exact: true });
    await page.getByText('Page 1', { exact: true }).waitFor();
    await tick.click();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('Page 2', { exact: true }).waitFor();
    await tick.click();
    await page.getByText('more than a Workspace has ids for').waitFor();
    await page.getByRole('button', { name: 'Untick these' }).click();
    for (const number of Array.from({ length: MOST - 200 - 4 }, (_, index) => index + 200))
      await page.getByRole('checkbox', { name: `Read ${number}`, exact: true }).check();
    await page.getByRole('button', { name: `Register ${MOST - 4} operations` }).click();
    await page.getByText(`${MOST - 4} of ${MOST - 4} operations registered.`).waitFor({ timeout: 120_000 });
    const { operations } = await stack.owner.request('GET', '/api/v1/custom-operations');
    expect(operations).toHaveLength(MOST);
    await page.getByText(`${MOST} of the ${MOST} ids`).waitFor();
  });

  test('one is removed, and brought back with a secret', async () => {
    const page = await stack.openAs('demo-owner', '/console/connectors');
    await untilLoaded(page);
    await rowOf(page, 'shop')
      .getByRole('link', { name: `${MOST - 2} operations` })
      .waitFor();
    await rowOf(page, 'shop').getByRole('button', { name: 'Remove' }).click();
    await dialogOf(page).getByRole('button', { name: 'Remove the connector' }).click();
    await rowOf(page, 'shop').getByText('removed').waitFor();
    await rowOf(page, 'shop').getByRole('button', { name: 'Bring back' }).click();
    await dialogOf(page).getByRole('button', { name: 'Save the connector' }).click();
    await dialogOf(page).locator('[data-field=secret] .field-problem').waitFor();
    await dialogOf(page).locator('[name=secret]').fill('shop-secret-0123');
    await dialogOf(page).getByRole('button', { name: 'Save the connector' }).click();
    await rowOf(page, 'shop').getByText('active').waitFor();
  });
});
