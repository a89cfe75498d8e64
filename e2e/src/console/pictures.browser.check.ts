import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@action-platform/testing/browser';
import { expect, test } from '@jest/globals';
import { describeConsole, untilLoaded, visit } from './console-stack.ts';
import { twoDays } from './two-days.ts';

/** With this variable, a folder, the tests write the pictures of docs/console.md there. */
const { SCREENSHOTS } = process.env;

async function keep(page: Page, name: string, fullPage = false): Promise<void> {
  if (SCREENSHOTS === undefined) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `console-${name}.png`), fullPage });
}

describeConsole('the console of a shop', (stack) => {
  let shop: Awaited<ReturnType<typeof twoDays>>;
  test('has two days', async () => {
    shop = await twoDays(stack);
  });

  test('its Home says by their names what happened, who did it and what waits', async () => {
    for (const [name, width, colorScheme] of [
      ['home', 1280, 'light'],
      ['phone', 360, 'dark'],
    ] as const) {
      const options = { viewport: { width, height: 900 }, colorScheme };
      const page = await stack.openAs('demo-owner', '/console', options);
      for (const text of ['Refund an order', 'Archive a Record', 'Support agent asks', 'Nightly import asks'])
        await page.getByText(text).waitFor();
      const text = await page.locator('main').innerText();
      expect(text).toMatch(/^Good (morning|afternoon|evening), Demo Owner\n/);
      expect(text).toMatch(/↑ \d+ % against the time before/);
      for (const caller of ['Nightly import', 'Support agent', 'Report of the week'])
        expect(text).toContain(caller);
      for (const waits of [
        'Archive a Record',
        'A webhook fails',
        'A draft of the last 7 days',
        'A grant ends in 6 days',
      ])
        expect(text).toContain(waits);
      expect(text).not.toMatch(/\b(rgr|apv|col)_/);
      await keep(page, name);
      await stack.browser.closePages();
    }
  });

  test('each page shows it without a problem', async () => {
    const page = await stack.openAs('demo-owner', '/console', { viewport: { width: 1280, height: 800 } });
    await page.getByText('Refund an order').waitFor();
    const { collection, record, approval } = shop;
    const pictures: string[] = [];
    for (const path of [
      ...['', 'requests', 'approvals', `approvals/${approval}`],
      ...['records', `records/${collection}`, `records/${collection}/${record}`, 'files'],
      ...[
        'procedures',
        'mail',
        'grants',
        'members',
        'custom-operations',
        'connectors',
        'connectors/carrier',
        'webhooks',
      ],
      ...['playground?operation=record_store.push_record', 'audit'],
    ]) {
      await visit(page, `/console/${path}`);
      expect([path, await page.getByRole('alert').count()]).toEqual([path, 0]);
      if (path.endsWith(approval)) await keep(page, 'approval');
      if (path.endsWith(record)) {
        for (const grant of ['Nightly import', 'Support agent'])
          await page.locator('.timeline').getByText(`through ${grant}`).first().waitFor();
        await page.setViewportSize({ width: 1280, height: 1060 });
        await keep(page, 'record');
        await page.setViewportSize({ width: 1280, height: 800 });
      }
      await page.setViewportSize({ width: 1000, height: 800 });
      expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 1000]);
      await page.setViewportSize({ width: 1280, height: 800 });
      pictures.push((await page.screenshot()).toString('base64'));
    }
    await visit(page, '/console/grants');
    await page.getByRole('button', { name: 'New grant' }).click();
    await untilLoaded(page);
    await page.getByRole('dialog').getByText('Orders').waitFor();
    await keep(page, 'grants');
    await page.goto('about:blank');
    await page.setContent(
      pictures.map((picture) => `<img width=414 src="data:image/png;base64,${picture}">`).join('\n'),
    );
    await page.addStyleTag({ content: 'body { margin: 6px; background: #ccc } img { margin: 2px }' });
    await keep(page, 'pages', true);
  });
});
