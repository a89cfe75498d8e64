import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createGrant, execute } from '@action-platform/testing/http';
import { expect, test } from '@jest/globals';
import { describeConsole, visit } from './console-stack.ts';

const HOSTILE = `<script>alert(1)</script><img src=x onerror=alert(1)>"'&\u202e\u200b{{a}}`;
/** As the console shows it: hidden characters are written out. */
const SHOWN = `<script>alert(1)</script><img src=x onerror=alert(1)>\\"'&\\u202e\\u200b{{a}}`;

const RUN = '<img src=x onerror=alert(1)>';

describeConsole('the console under hostile data', (stack) => {
  test('names run nowhere, and are shown to the byte', async () => {
    const { base_url: url, owner } = stack.demo;
    const { collection } = await stack.owner.execute('record_store.create_collection', {
      name: HOSTILE,
      description: HOSTILE,
    });
    await stack.owner.execute('procedures.create_draft', {
      slug: 'hostile',
      title: HOSTILE,
      description: HOSTILE,
      markdown: `# ${HOSTILE}\n\n[x](javascript:alert(1))`,
    });
    const { secret } = await createGrant(url, owner.token, {
      name: HOSTILE,
      operations: ['record_store.push_record'],
      data: { collectionIds: [collection.id] },
      maximumCadence: { invocations: 1, periodSeconds: 60 },
    });
    await createGrant(url, owner.token, { name: HOSTILE, operationScope: 'record_store.get_usage' });
    const { endpoint } = await stack.owner.request('POST', '/api/v1/webhook-endpoints', {
      url: 'http://127.0.0.1:9/',
      description: HOSTILE,
    });
    await stack.owner.request('POST', '/api/v1/members', {
      userId: `<img src=x onerror=alert(1)>`,
      displayName: HOSTILE,
    });
    await stack.owner.execute('mail.send_email', { to: ['a@example.com'], subject: HOSTILE, body: HOSTILE });
    const { record } = await stack.owner.execute('record_store.push_record', {
      collection_id: collection.id,
      payload: { [HOSTILE]: HOSTILE },
    });
    const pushed = { collection_id: collection.id, payload: {} };
    const named = { 'x-routine-invocation-id': RUN };
    expect((await execute(url, secret, 'record_store.push_record', pushed, named)).code).toBe('ok');
    const page = await stack.openAs('demo-owner', '/console');
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    for (const path of [
      ...['records', `records/${collection.id}`, `records/${collection.id}/${record.id}`],
      ...['procedures', 'procedures/hostile', 'grants?kind=routine', 'grants?kind=operation'],
      ...['members', 'webhooks', `webhooks/${endpoint.id}`, 'mail', ''],
    ]) {
      await visit(page, `/console/${path}`);
      await page.evaluate(`for (const details of document.querySelectorAll('details')) details.open = true`);
      expect([path, await page.locator('main').textContent()]).toEqual([
        path,
        expect.stringContaining(SHOWN),
      ]);
      expect([path, await page.locator('main script, main img').count()]).toEqual([path, 0]);
    }
    await visit(page, `/console/audit?${new URLSearchParams({ invocation_id: RUN })}`);
    await page.locator('main td button').first().click();
    await page.locator('dialog[open]').getByRole('link', { name: RUN, exact: true }).waitFor();
    expect(dialogs).toEqual([]);
    stack.expectNothingForeign();
  });

  test('the token is in no address, history, storage, cookie, cache, referrer, log or trace', async () => {
    const page = await stack.browser.open('/docs');
    const sent: string[] = [];
    let token = '';
    page.on('request', async (request) => {
      const headers = await request.allHeaders();
      delete headers.authorization;
      sent.push(request.url(), JSON.stringify(headers), request.postData() ?? '');
    });
    page.on('response', async (response) => {
      if (response.url().endsWith('/token'))
        token = ((await response.json()) as { id_token: string }).id_token;
    });
    await page.goto(`${stack.demo.base_url}/console`);
    await page.getByRole('button', { name: 'demo-owner' }).click();
    await page.getByRole('heading', { name: 'Needs you' }).waitFor();
    for (const path of [
      ...['requests', 'audit', 'records', 'grants', 'members', 'playground', 'webhooks', 'mail', ''],
    ])
      await visit(page, `/console/${path}`);
    expect(token).toMatch(/^eyJ/);
    const canary = token.split('.')[2]!;
    const kept = await page.evaluate<string>(`(async () => JSON.stringify([
      location.href, document.cookie, { ...localStorage }, { ...sessionStorage }, await caches.keys(), await indexedDB.databases(),
      performance.getEntries().map(({ name }) => name), document.documentElement.outerHTML, history.state,
    ]))()`);
    const requestId = (await stack.owner.execute('audit.list_entries', { limit: 1 })).entries[0].request_id;
    const trace = await stack.platform
      .admin('trace', requestId)
      .catch((error: Error) => ({ error: error.message }));
    const folder = stack.platform.places.logs;
    const logs = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(logs.join('')).toContain('"listening"');
    expect(logs.filter((log) => /eyJ|code=/.test(log))).toEqual([]);
    for (const [place, text] of Object.entries({
      sent: sent.join('\n'),
      kept,
      trace: JSON.stringify(trace),
    }))
      expect([place, text.includes(canary)]).toEqual([place, false]);
    expect(JSON.stringify(await page.context().cookies(stack.demo.base_url))).toBe('[]');
    stack.expectNothingForeign();
  });

  test('a chart shows how many calls were made and refused, and leads to the refused ones', async () => {
    const { base_url: url, owner } = stack.demo;
    const operationScope = 'record_store.create_collection';
    const grant = await createGrant(url, owner.token, { name: 'Counted', operationScope });
    const made = [...Array(5).fill('{"name":"counted"}'), ...Array(3).fill('{}')];
    for (const body of made) await execute(url, grant.secret, operationScope, body);
    const sumOf = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0);
    const counted = async () => {
      const { buckets } = await stack.owner.execute('audit.count_entries', { grant_id: grant.id });
      return sumOf(buckets.map(({ calls }: { calls: number }) => calls));
    };
    // An entry that equal calls share is stored some time after the last of them.
    while ((await counted()) < made.length) await delay(100);
    const page = await stack.openAs('demo-owner', `/console?grant=${grant.id}&period=hours`);
    await page.getByRole('link', { name: /Calls 8 / }).waitFor();
    const toRefused = await page.getByRole('link', { name: /Refused 3 / }).getAttribute('href');
    expect(toRefused).toContain(`/console/audit?grant_id=${grant.id}&outcome=refused`);
    await page.locator('figure summary').click();
    const sumOfColumn = async (column: number) =>
      sumOf((await page.locator(`figure tbody td:nth-child(${column})`).allTextContents()).map(Number));
    expect([await sumOfColumn(2), await sumOfColumn(3)]).toEqual([8, 3]);
  });
});
