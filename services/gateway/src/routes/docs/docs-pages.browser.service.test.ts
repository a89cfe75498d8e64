import { existsSync } from 'node:fs';
import { operations } from '@action-platform/contracts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { GatewayHarness } from '../../test/harness.ts';

const executablePath = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path !== undefined && existsSync(path),
);
const missing = 'no Chromium at /usr/bin/chromium or CHROMIUM_PATH';
if (executablePath === undefined) process.stderr.write(`Skipping the pages in a browser: ${missing}\n`);

const inBrowser = executablePath === undefined ? describe.skip : describe;

inBrowser(`in a browser${executablePath === undefined ? ` (skipped: ${missing})` : ''}`, () => {
  const harness = new GatewayHarness();
  let token: string;
  let browser: Browser;
  let context: BrowserContext;
  /** Where requests went, and what the content security policy stopped, since the test began. */
  let hosts: Set<string>;
  let violations: string[];

  beforeAll(async () => {
    await harness.platform.spawn('grants');
    await harness.start();
    token = (await harness.newWorkspace()).owner.token;
    const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'];
    const silent = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
    browser = await chromium.launch({ executablePath: executablePath!, args: [...flags, ...silent] });
  });
  afterAll(async () => {
    await browser?.close();
    await harness.stop();
  });
  beforeEach(() => {
    hosts = new Set();
    violations = [];
  });
  afterEach(() => context?.close());

  async function open(path: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
    context = await browser.newContext(options);
    context.on('request', (request) => hosts.add(new URL(request.url()).host));
    context.on('console', (message) => {
      if (message.text().startsWith('violation')) violations.push(message.text());
    });
    await context.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
      console.log('violation', event.violatedDirective, event.blockedURI, event.sourceFile))`);
    const page = await context.newPage();
    await page.goto(harness.url + path);
    return page;
  }

  test('a visitor to /docs pastes a token and tries a call; the token stays in the tab', async () => {
    const page = await open('/docs');
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    const dialog = page.locator('.modal-ux');
    await dialog.locator('input').first().fill(token);
    await dialog.getByRole('button', { name: 'Apply credentials' }).first().click();
    await dialog.getByRole('button', { name: 'Close' }).first().click();

    const discovery = page.locator('#operations-discovery-discoverOperations');
    await discovery.locator('.opblock-summary-control').click();
    await discovery.getByRole('button', { name: 'Execute', exact: true }).click();
    const answer = discovery.locator('.live-responses-table .response');
    await answer.waitFor();
    expect(await answer.locator('.response-col_status').textContent()).toMatch(/^200\b/);
    const shown = await answer.textContent();
    for (const id of operations.keys()) expect(shown).toContain(`"id": "${id}"`);

    const samples = discovery.locator('.request-snippets');
    for (const [title, begins] of [
      ['curl', 'curl'],
      ['JavaScript', 'const response = await fetch'],
      ['Python', 'import json'],
    ] as const) {
      await samples.getByText(title, { exact: true }).click();
      expect(await samples.textContent()).toContain(begins);
    }

    const stored = await page.evaluate('JSON.stringify([localStorage, Object.values(sessionStorage)])');
    expect(JSON.parse(stored as string)).toEqual([{}, [token]]);
    await page.reload();
    await page.locator('.btn.authorize.locked').first().waitFor();
    expect((await context.storageState()).cookies).toEqual([]);
    expect(violations).toEqual([]);
    expect([...hosts]).toEqual([new URL(harness.url).host]);
  });

  test('a link to an operation opens it', async () => {
    const page = await open('/docs#/record_store/record_store.push_record');
    const opened = page.locator('.opblock.is-open');
    await opened.locator('.opblock-body').waitFor();
    expect(await opened.locator('.opblock-summary-path').textContent()).toContain('record_store.push_record');
    expect(violations).toEqual([]);
  });

  test('an operation is found by words of it, in the list beside the reference', async () => {
    const page = await open('/docs', { viewport: { width: 1440, height: 900 } });
    const list = page.locator('#operations li:visible');
    await list.first().waitFor();
    const all = await list.count();
    expect(all).toBeGreaterThan(operations.size);
    await page.getByLabel('Find an operation').fill('push record');
    expect(await list.allTextContents()).toEqual(['Push a Record']);
    await list.getByRole('link').click();
    await page.locator('.opblock.is-open .opblock-body').waitFor();
    expect(violations).toEqual([]);
  });

  test.each([390, 1440])('no page is wider than a screen of %i px, in light or dark', async (width) => {
    const pages = ['/docs', '/docs/errors', '/docs/errors/invalid_request', '/docs#/mail/mail.send_email'];
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const path of pages) {
        const page = await open(path, { viewport: { width, height: 844 }, colorScheme });
        if (path.startsWith('/docs#')) await page.locator('.opblock.is-open .opblock-body').waitFor();
        else if (path === '/docs') await page.locator('.opblock').first().waitFor();
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
        expect({ path, wide }).toEqual({ path, wide: width });
        expect(violations).toEqual([]);
        expect([...hosts]).toEqual([new URL(harness.url).host]);
        await context.close();
      }
    }
  });

  test.each(['light', 'dark'] as const)('the error pages leave nobody out (axe), %s', async (colorScheme) => {
    for (const path of ['/docs/errors', '/docs/errors/invalid_request']) {
      // The checker comes from outside the page; everything else is as it is served.
      const page = await open(path, { colorScheme, bypassCSP: true });
      await page.addScriptTag({ content: axe.source });
      const { violations: found } = await page.evaluate<axe.AxeResults>('axe.run()');
      expect(found.map(({ id, nodes }) => `${path} ${id}: ${nodes[0]?.html}`)).toEqual([]);
      await context.close();
    }
  });

  test('a script that came from elsewhere than a file of the gateway would not run', async () => {
    const page = await open('/docs');
    const stopped = page.waitForEvent('console', (message) => message.text().startsWith('violation'));
    await page.evaluate(`{
      const script = document.createElement('script');
      script.textContent = 'globalThis.intruder = true';
      document.body.append(script);
    }`);
    expect((await stopped).text()).toMatch(/^violation script-src/);
    expect(await page.evaluate('globalThis.intruder')).toBeUndefined();
  });

  test('a page of an error code fits a phone and is dark for those who want it dark', async () => {
    const phone = { viewport: { width: 390, height: 844 } };
    const brightness = async (page: Page) => {
      const colour = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      return Math.max(...colour.match(/\d+/g)!.map(Number));
    };
    const dark = await open('/docs/errors/record_store_stale_version', { ...phone, colorScheme: 'dark' });
    expect(await dark.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await brightness(dark)).toBeLessThan(64);
    await context.close();
    const light = await open('/docs/errors/record_store_stale_version', { ...phone, colorScheme: 'light' });
    expect(await brightness(light)).toBeGreaterThan(192);
    expect(violations).toEqual([]);
    expect([...hosts]).toEqual([new URL(harness.url).host]);
  });
});
