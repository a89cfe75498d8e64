import type { Page } from '@action-platform/testing/browser';
import { expect, test } from '@jest/globals';
import { describeConsole, untilLoaded, visit } from './console-stack.ts';
import { fill, memberPages, ownerPages } from './sample-workspace.ts';

/** The most that a page may move while it loads (Cumulative Layout Shift). */
const MOST_SHIFT = 0.05;
/** Adds up in `shift` how far the elements of a page move without an input. */
const WATCH_SHIFTS = `globalThis.shift = 0; new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shift += value;
}).observe({ type: 'layout-shift', buffered: true })`;

/** How far the elements have moved, once the last frame was measured. */
const SHIFT = 'new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(shift), 50)))';

const FOCUS_IN_DIALOG = `document.querySelector('dialog[open]').contains(document.activeElement)`;

describeConsole('the pages of the console', (stack) => {
  let ids: Awaited<ReturnType<typeof fill>>;

  test('the first view takes at most 60 requests and 160 KB', async () => {
    const page = await stack.browser.open('/livez');
    const network = await page.context().newCDPSession(page);
    await network.send('Network.enable');
    const urls = new Map<string, string>();
    const loaded: { url: string; size: number }[] = [];
    network.on('Network.requestWillBeSent', ({ requestId, request }) => urls.set(requestId, request.url));
    network.on('Network.loadingFinished', ({ requestId, encodedDataLength: size }) => {
      const url = urls.get(requestId);
      // A file in the cache of the browser takes none, and the page where a person signs in is the provider's.
      if (size > 0 && url !== undefined && !url.includes('/authorize?')) loaded.push({ url, size });
    });
    await page.goto(`${stack.demo.base_url}/console`);
    await page.getByRole('button', { name: 'demo-owner' }).click();
    await page.getByLabel('Used part of the quota').waitFor();
    await page.evaluate(WATCH_SHIFTS);
    expect(await page.evaluate(SHIFT)).toBeLessThanOrEqual(MOST_SHIFT);
    const bytes = loaded.reduce((sum, { size }) => sum + size, 0);
    process.stderr.write(`First view: ${loaded.length} requests, ${bytes} bytes\n`);
    expect(loaded.slice(60)).toEqual([]);
    expect(bytes).toBeLessThanOrEqual(160_000);
  });

  test('something of every kind is there', async () => {
    ids = await fill(stack);
  });

  test("a Member's walk through all pages is refused nothing, and has no Owner's page", async () => {
    const page = await stack.openAs('demo-member', '/console');
    for (const path of memberPages(ids)) {
      await visit(page, `/console/${path}`);
      expect([path, await page.getByRole('alert').count()]).toEqual([path, 0]);
    }
    for (const path of ownerPages(ids)) {
      await visit(page, `/console/${path}`);
      expect(await page.locator('main').textContent()).toContain('For Owners');
    }
    expect(await page.locator('nav a').allTextContents()).not.toEqual(expect.arrayContaining(['Audit']));
    expect(stack.refusals).toEqual([]);
    stack.expectNothingForeign();
  });

  test.each([
    [360, 'light'],
    [360, 'dark'],
    [768, 'light'],
    [768, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const)(
    'every page and dialog fits %i px in %s, stays where it is, is accessible (axe) and works by keyboard',
    async (width, colorScheme) => {
      const options = { viewport: { width, height: 900 }, colorScheme, reducedMotion: 'reduce' as const };
      const page = await stack.openAs('demo-owner', '/console', options);
      await page.evaluate(WATCH_SHIFTS);
      const problems: Record<string, unknown> = {};
      const seen: Record<string, number> = {};
      for (const path of [...memberPages(ids), ...ownerPages(ids)]) {
        await page.evaluate('shift = 0');
        await visit(page, `/console/${path}`);
        const focused = await page.evaluate(
          'document.activeElement.tagName + document.activeElement.textContent',
        );
        expect({ path, focused }).toEqual({ path, focused: expect.stringMatching(/^H1/) });
        const shift = await page.evaluate<number>(SHIFT);
        const name = path.split(/[/?]/).join('-') || 'home';
        await page.evaluate(
          `for (const details of document.querySelectorAll('details')) details.open = true`,
        );
        const found = [...(await stack.browser.problemsOf(page)), ...(await wideness(page, width))];
        if (shift > MOST_SHIFT) found.push(`moves by ${shift}`);
        const dialogs = await page.locator('main action-dialog').count();
        seen[path] = dialogs;
        // One of each kind: a table has the same in every row.
        const labels = new Set<string>();
        for (let index = 0; index < dialogs; index++) {
          const button = page.locator('main action-dialog').nth(index).getByRole('button');
          const label = (await button.textContent())!.trim();
          if (labels.has(label)) continue;
          labels.add(label);
          await button.focus();
          await page.keyboard.press('Enter');
          await page.locator('dialog[open] form').waitFor();
          await untilLoaded(page);
          expect(await page.evaluate(FOCUS_IN_DIALOG)).toBe(true);
          found.push(...(await stack.browser.problemsOf(page)), ...(await wideness(page, width)));
          await page.keyboard.press('Escape');
          expect(await button.and(page.locator(':focus')).count()).toBe(1);
        }
        if (found.length > 0) problems[name] = found;
      }
      expect(problems).toEqual({});
      expect(Object.values(seen).reduce((sum, dialogs) => sum + dialogs, 0)).toBeGreaterThan(15);
      stack.expectNothingForeign();
    },
  );
});

/** The cards whose content is wider than they are. */
const WIDE_CARDS = `[...document.querySelectorAll('.card')].filter((card) => card.scrollWidth > card.clientWidth).map((card) => card.innerText.slice(0, 80))`;

/** The elements that are wider than the screen, or than their card. */
const wideness = async (page: Page, width: number) => {
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
  const cards = await page.evaluate<string[]>(WIDE_CARDS);
  return [
    ...(wide > width ? [`${wide} px wide`] : []),
    ...cards.map((card) => `wider than its card: ${card}`),
  ];
};
