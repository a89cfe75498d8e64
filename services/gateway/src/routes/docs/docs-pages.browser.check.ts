import { operations } from '@action-platform/contracts';
import { describeInBrowser, TestBrowser } from '@action-platform/testing/browser';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { GatewayHarness } from '../../test/harness.ts';

const PAGES = [
  '/docs',
  '/docs/errors',
  '/docs/errors/record_store_stale_version',
  '/docs/errors/unheard_of',
  '/docs/guides',
  '/docs/guides/runbook',
  '/docs/guides/mcp',
  '/docs/guides/security',
  '/nowhere',
];

describeInBrowser('in a browser', () => {
  const harness = new GatewayHarness();
  const browser = new TestBrowser();
  let token: string;

  beforeAll(async () => {
    await harness.platform.spawn('grants');
    await harness.start();
    token = (await harness.newWorkspace()).owner.token;
    await browser.start(harness);
  });
  afterAll(async () => {
    await browser.stop();
    await harness.stop();
  });
  afterEach(() => browser.closePages());

  test('a visitor to /docs gives a token and tries a call; the token stays in the tab', async () => {
    const page = await browser.open('/docs');
    await page.getByLabel('Token, to try calls with').fill(token);
    const discovery = page.locator('[id="/discovery/discoverOperations"]');
    await discovery.getByText('Try it').click();
    await discovery.getByRole('button', { name: 'Send' }).click();
    const answer = discovery.locator('output pre');
    await answer.waitFor();
    expect(await discovery.locator('output p').textContent()).toMatch(/^200 OK, \d+ ms, request req_\w+$/);
    const shown = JSON.parse((await answer.textContent())!);
    expect(shown.operations.map(({ id }: { id: string }) => id)).toEqual([...operations.keys()]);

    const stored = await page.evaluate('JSON.stringify([localStorage, Object.values(sessionStorage)])');
    expect(JSON.parse(stored as string)).toEqual([{}, [token]]);
    await page.reload();
    expect(await page.getByLabel('Token, to try calls with').inputValue()).toBe(token);
    expect(await page.context().cookies()).toEqual([]);
    browser.expectNothingForeign();
  });

  test('a call with a path, a query and a body is sent as it is filled in', async () => {
    const page = await browser.open('/docs');
    await page.getByLabel('Token, to try calls with').fill(token);
    const sent: [string, string, string | null][] = [];
    await page.route('**/api/v1/**', async (route) => {
      const request = route.request();
      sent.push([
        request.method(),
        new URL(request.url()).pathname + new URL(request.url()).search,
        request.postData(),
      ]);
      await route.fulfill({
        status: 200,
        contentType: 'application/json',
        body: '{"amount":1.00,"large":12345678901234567890}',
      });
    });
    const fillIn = async (id: string, fields: Record<string, string>) => {
      const operation = page.locator(`[id="${id}"]`);
      await operation.getByText('Try it').click();
      for (const [label, value] of Object.entries(fields))
        await operation.getByLabel(label, { exact: true }).fill(value);
      await operation.getByRole('button', { name: 'Send' }).click();
      await operation.locator('output pre').waitFor();
      return operation.locator('output pre').textContent();
    };
    await fillIn('/grants/revokeOperationGrant', { id: 'ogr 1/2' });
    await fillIn('/grants/listOperationGrants', { status: 'active', limit: '3' });
    const shown = await fillIn('/record_store/record_store.get_record', {
      Body: '{"collection_id":"col_1"}',
    });
    expect(sent).toEqual([
      ['DELETE', '/api/v1/operation-grants/ogr%201%2F2', null],
      ['GET', '/api/v1/operation-grants?status=active&limit=3', null],
      ['POST', '/api/v1/operations/record_store.get_record', '{"collection_id":"col_1"}'],
    ]);
    // Numbers keep their digits.
    expect(shown).toBe('{\n  "amount": 1.00,\n  "large": 12345678901234567890\n}');
  });

  test('a link to an operation leads to it, and shows samples and an answer before any call', async () => {
    const page = await browser.open('/docs#/record_store/record_store.push_record', {
      javaScriptEnabled: false,
    });
    const operation = page.locator(':target');
    expect(await operation.getByRole('heading', { level: 3 }).textContent()).toBe('Push a Record');
    for (const [label, begins] of [
      ['curl', 'curl "$BASE_URL/api/v1/operations/record_store.push_record"'],
      ['JavaScript', 'const { BASE_URL, TOKEN } = process.env;'],
      ['Python', 'import json, os, urllib.request'],
    ] as const) {
      const sample = operation.locator('.sample', { hasText: label });
      if ((await sample.getAttribute('open')) === null)
        await sample.getByText(label, { exact: true }).click();
      expect(await sample.locator('pre').textContent()).toContain(begins);
    }
    const answers = await operation.locator('> div > pre').allTextContents();
    expect(answers.map((answer) => JSON.parse(answer))).toMatchObject([
      { result: { record: { version: 1 } } },
    ]);
  });

  test('the search finds an operation by its words, in the list beside the reference', async () => {
    const page = await browser.open('/docs', { viewport: { width: 1440, height: 900 } });
    const list = page.getByRole('navigation', { name: 'Operations' }).locator('li:visible');
    expect(await list.count()).toBeGreaterThan(operations.size);
    await page.getByLabel('Find an operation').fill('push record');
    expect((await list.allTextContents()).map((text) => text.trim())).toEqual(['POST Push a Record']);
    const groups = page.getByRole('navigation', { name: 'Operations' }).locator('h2:visible');
    expect(await groups.allTextContents()).toEqual(['record store']);
    await list.getByRole('link').click();
    expect(await page.locator(':target h3').textContent()).toBe('Push a Record');
  });

  test('an example of an error is shown whole, on a phone too', async () => {
    const page = await browser.open('/docs/errors/mail_sender_not_eligible', {
      viewport: { width: 390, height: 844 },
    });
    const hidden = await page.evaluate<number>(`(() => {
      const { scrollWidth, clientWidth } = document.querySelector('pre');
      return scrollWidth - clientWidth;
    })()`);
    expect(hidden).toBe(0);
  });

  test.each([
    [390, 'light'],
    [390, 'dark'],
    [1440, 'light'],
    [1440, 'dark'],
  ] as const)(
    'every page fits a screen of %i px in %s, and is accessible (axe)',
    async (width, colorScheme) => {
      const problems: Record<string, unknown> = {};
      for (const path of PAGES) {
        const page = await browser.open(path, { viewport: { width, height: 844 }, colorScheme });
        browser.expectNothingForeign();
        await page.evaluate(`for (const details of document.querySelectorAll('details')) {
        details.removeAttribute('name');
        details.open = true;
      }`);
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
        const brightness = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
        const isDark = Math.max(...brightness.match(/\d+/g)!.map(Number)) < 64;
        problems[path] = { wide, isDark, axe: await browser.problemsOf(page) };
        await browser.closePages();
      }
      const none = { wide: width, isDark: colorScheme === 'dark', axe: [] };
      expect(problems).toEqual(Object.fromEntries(PAGES.map((path) => [path, none])));
    },
    180_000,
  );

  test('the browser runs no script but the files of the gateway', async () => {
    const page = await browser.open('/docs');
    const stopped = page.waitForEvent('console', (message) => message.text().startsWith('violation'));
    await page.evaluate(`{
      const script = document.createElement('script');
      script.textContent = 'globalThis.intruder = true';
      document.body.append(script);
    }`);
    expect((await stopped).text()).toMatch(/^violation script-src/);
    expect(await page.evaluate('globalThis.intruder')).toBeUndefined();
  });
});
