import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { auditEntries } from '../harness/evidence/audit-entries.ts';
import { createGrant, execute } from '../http.ts';
import { describeConsole, visit } from './console-stack.ts';

const HOSTILE = `<script>alert(1)</script><img src=x onerror=alert(1)>"'&\u202e\u200b{{a}}`;
/** As the console shows it: hidden characters are written out. */
const SHOWN = `<script>alert(1)</script><img src=x onerror=alert(1)>\\"'&\\u202e\\u200b{{a}}`;

const RUN = '<img src=x onerror=alert(1)>';

describeConsole('the console under hostile data', (stack) => {
  test('names run nowhere, and are shown to the byte', async () => {
    const { base_url: url, owner } = stack.demo;
    const { collection } = await stack.execute('record_store.create_collection', {
      name: HOSTILE,
      description: HOSTILE,
    });
    await stack.execute('procedures.create_draft', {
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
    const { endpoint } = await stack.call('POST', '/api/v1/webhook-endpoints', {
      url: 'http://127.0.0.1:9/',
      description: HOSTILE,
    });
    await stack.call('POST', '/api/v1/members', {
      userId: `<img src=x onerror=alert(1)>`,
      displayName: HOSTILE,
    });
    await stack.execute('mail.send_email', { to: ['a@example.com'], subject: HOSTILE, body: HOSTILE });
    const { record } = await stack.execute('record_store.push_record', {
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
    await page.getByRole('cell', { name: RUN }).waitFor();
    expect(dialogs).toEqual([]);
    stack.expectNothingForeign();
  });

  const nested = (depth: number, inner: string) => '['.repeat(depth) + inner + ']'.repeat(depth);
  test.each([
    [
      'numbers, markup, hidden characters, every key',
      `{"n":12345678901234567890,"f":1.0,"<script>alert(1)</script>":"<img src=x onerror=alert(1)>\\u202e\\u0000","__proto__":{"x":[]},"2":1,"1":2}`,
    ],
    ['64 levels', `{"deep":${nested(61, '1')}}`],
    ['256 KiB', `{"text":"${'abc <b> '.repeat(32_700)}"}`],
  ])('a payload is shown whole: %s', async (_what, payload) => {
    const { collection } = await stack.execute('record_store.create_collection', { name: 'payloads' });
    const { record } = await stack.execute(
      'record_store.push_record',
      `{"collection_id":"${collection.id}","payload":${payload}}`,
    );
    const page = await stack.openAs('demo-owner', `/console/records/${collection.id}/${record.id}`);
    const shown = await page.locator('record-page > pre').textContent();
    expect(shown!.replaceAll(/[\n\t]| (?=[\d"[{])/g, '')).toBe(payload.replaceAll(/ (?=[\d"[{])/g, ''));
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
    await page.getByRole('heading', { name: 'Waiting' }).waitFor();
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
    const requestId = (await stack.execute('audit.list_entries', { limit: 1 })).entries[0].request_id;
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

  test("charts show an export's counts, also of entries that came later", async () => {
    const { base_url: url, owner } = stack.demo;
    const grant = await createGrant(url, owner.token, {
      name: 'Counted',
      operationScope: 'record_store.create_collection',
    });
    const exported = async () => {
      const entries = await auditEntries(url, owner.token, `?grant_id=${grant.id}`);
      const count = (of: typeof entries) => of.reduce((sum, { count = 1 }) => sum + count, 0);
      return [count(entries), count(entries.filter(({ outcome }) => outcome === 'refused'))];
    };
    let made = 0;
    const callTimes = async (times: number, body: string) => {
      for (let index = 0; index < times; index++)
        await execute(url, grant.secret, 'record_store.create_collection', body);
      made += times;
      // An entry that equal calls share is stored some time after the last of them.
      while ((await exported())[0] !== made) await delay(100);
    };
    const charted = async () => {
      const page = await stack.openAs('demo-owner', `/console?grant=${grant.id}&period=hours`);
      const caption = await page.locator('figcaption').textContent();
      const toRefused = await page.locator('figcaption a').nth(1).getAttribute('href');
      expect(toRefused).toContain(`/console/audit?grant_id=${grant.id}&outcome=refused`);
      await page.locator('figure summary').click();
      const cells = await page
        .locator('figure tbody tr')
        .evaluateAll((rows: { cells: { textContent: string }[] }[]) =>
          rows.map((row) => [row.cells[1]!.textContent, row.cells[2]!.textContent]),
        );
      await stack.browser.closePages();
      const [calls, refused] = [0, 1].map((column) =>
        cells.reduce((sum, row) => sum + Number(row[column]), 0),
      );
      expect(caption).toContain(`calls ${calls}, refused ${refused},`);
      return [calls, refused];
    };
    await callTimes(5, '{"name":"counted"}');
    await callTimes(3, '{}');
    expect(await charted()).toEqual([8, 3]);
    expect(await charted()).toEqual(await exported());
    await callTimes(70, '{}');
    expect(await charted()).toEqual(await exported());
  });
});
