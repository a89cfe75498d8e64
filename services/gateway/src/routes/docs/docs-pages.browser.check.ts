import { operations } from '@action-platform/contracts/operations';
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

  beforeAll(async () => {
    await harness.platform.spawn('grants');
    await harness.start();
    await browser.start(harness);
  });
  afterAll(async () => {
    await browser.stop();
    await harness.stop();
  });
  afterEach(() => browser.closePages());

  test('without a console the reference leads to none', async () => {
    const page = await browser.open('/docs');
    expect(await page.getByRole('link', { name: 'Try it' }).count()).toBe(0);
  });

  test('the search finds an operation by its words, in the list beside the reference', async () => {
    const page = await browser.open('/docs', { viewport: { width: 1440, height: 900 } });
    const list = page.getByRole('navigation', { name: 'Operations' }).locator('li:visible');
    expect(await list.count()).toBeGreaterThan(operations.size);
    await page.getByLabel('Find an operation').fill('push record');
    expect((await list.allTextContents()).map((text) => text.trim())).toEqual([
      'POST Push a Record',
      'POST Push many Records',
    ]);
    const groups = page.getByRole('navigation', { name: 'Operations' }).locator('h2:visible');
    expect(await groups.allTextContents()).toEqual(['record store']);
    await list.getByRole('link').first().click();
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
