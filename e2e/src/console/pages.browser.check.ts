import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeInBrowser, type Page } from '@action-platform/testing/browser';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { createGrant } from '../http.ts';
import { execute } from '../stack-process.ts';
import { ConsoleStack, visit } from './console-stack.ts';

jest.setTimeout(600_000);

/** With this variable, a folder, the tests write the pictures of docs/console.md there. */
const { SCREENSHOTS } = process.env;
const PICTURES = ['home', 'grants', 'record', 'phone'];

const FOCUS_IN_DIALOG = `document.querySelector('dialog[open]').contains(document.activeElement)`;

describeInBrowser('the pages of the console', () => {
  const stack = new ConsoleStack();
  let ids: { collection: string; record: string; approval: string; webhook: string };

  beforeAll(() => stack.start());
  afterAll(() => stack.stop());
  afterEach(() => stack.browser.closePages());

  const memberPages = () => [
    '',
    'requests',
    'approvals',
    `approvals/${ids.approval}`,
    'records',
    `records/${ids.collection}`,
    `records/${ids.collection}/${ids.record}`,
    'grants?kind=routine',
    'mail',
    'procedures',
    'procedures/welcome-a-customer',
    'files',
    'playground?operation=record_store.push_record',
  ];
  const ownerPages = () => ['audit', 'members', 'custom-operations', 'webhooks', `webhooks/${ids.webhook}`];

  const keepPicture = async (page: Page, name: string) => {
    if (SCREENSHOTS === undefined || !PICTURES.includes(name)) return;
    mkdirSync(SCREENSHOTS, { recursive: true });
    await page.screenshot({ path: join(SCREENSHOTS, `console-${name}.png`), fullPage: name === 'record' });
  };

  test('the first view takes at most 30 requests and 80 KB', async () => {
    const page = await stack.browser.open('/livez');
    const network = await page.context().newCDPSession(page);
    await network.send('Network.enable');
    const urls = new Map<string, string>();
    const loaded: { url: string; size: number }[] = [];
    network.on('Network.requestWillBeSent', ({ requestId, request }) => urls.set(requestId, request.url));
    network.on('Network.loadingFinished', ({ requestId, encodedDataLength: size }) => {
      const url = urls.get(requestId);
      // What the browser has in its cache takes none, and the page where a person signs in is the provider's.
      if (size > 0 && url !== undefined && !url.includes('/authorize?')) loaded.push({ url, size });
    });
    await page.goto(`${stack.demo.base_url}/console`);
    await page.getByRole('button', { name: 'demo-owner' }).click();
    await page.getByLabel('Used part of the quota').waitFor();
    const bytes = loaded.reduce((sum, { size }) => sum + size, 0);
    process.stderr.write(`First view: ${loaded.length} requests, ${bytes} bytes\n`);
    expect(loaded.slice(30)).toEqual([]);
    expect(bytes).toBeLessThanOrEqual(80_000);
  });

  test('something of every kind is there', async () => {
    ids = await fill(stack);
  });

  test("a Member's walk through all pages is refused nothing, and has no Owner's page", async () => {
    const page = await stack.openAs('demo-member', '/console');
    for (const path of memberPages()) {
      await visit(page, `/console/${path}`);
      expect([path, await page.getByRole('alert').count()]).toEqual([path, 0]);
    }
    for (const path of ownerPages()) {
      await visit(page, `/console/${path}`);
      expect(await page.locator('main').textContent()).toContain('This page is for Owners.');
    }
    expect(await page.locator('nav a').allTextContents()).not.toEqual(expect.arrayContaining(['Audit']));
    expect(stack.refusals).toEqual([]);
    stack.expectNothingForeign();
  });

  test.each([
    [360, 'light'],
    [360, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const)(
    'every page and dialog fits %i px in %s, is accessible (axe) and works by keyboard',
    async (width, colorScheme) => {
      const options = { viewport: { width, height: 900 }, colorScheme, reducedMotion: 'reduce' as const };
      const page = await stack.openAs('demo-owner', '/console', options);
      const problems: Record<string, unknown> = {};
      const seen: Record<string, number> = {};
      for (const path of [...memberPages(), ...ownerPages()]) {
        await visit(page, `/console/${path}`);
        expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
        const name = path.split(/[/?]/).join('-') || 'home';
        if (path === '' && (width === 1280) === (colorScheme === 'light'))
          await keepPicture(page, width === 1280 ? 'home' : 'phone');
        await page.evaluate(
          `for (const details of document.querySelectorAll('details')) details.open = true`,
        );
        if (path.endsWith(ids.record)) await page.getByLabel('before').first().check();
        if (width === 1280 && colorScheme === 'light' && path !== '') await keepPicture(page, nameOf(path));
        const found = [...(await stack.browser.problemsOf(page)), ...(await wideness(page, width))];
        const dialogs = await page.locator('main dialog').count();
        seen[path] = dialogs;
        // One of each kind: a table has the same in every row.
        const labels = new Set<string>();
        for (let index = 0; index < dialogs; index++) {
          const dialog = page.locator('main dialog').nth(index);
          const label = (await dialog.getAttribute('aria-label'))!;
          if (labels.has(label)) continue;
          labels.add(label);
          const button = dialog.locator('xpath=preceding-sibling::button[1]');
          await button.focus();
          await page.keyboard.press('Enter');
          await dialog.getByRole('heading').first().waitFor();
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

/** The name of the picture of a page. */
const nameOf = (path: string) => {
  const [kind, ...names] = path.split(/[/?]/);
  return names.length > 1 ? 'record' : kind!;
};

/** What is wider than the screen. */
const wideness = async (page: Page, width: number) => {
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
  return wide > width ? [`${wide} px wide`] : [];
};

/** Something of every kind, so that no page is empty. */
async function fill(stack: ConsoleStack) {
  const { demo } = stack;
  const { collection } = await stack.execute('record_store.create_collection', {
    name: 'Orders',
    description: 'One Record for each order.',
    member_writes_enabled: true,
  });
  const push = {
    collection_id: collection.id,
    payload: { order: 1, customer: 'Ada', items: ['tea'], paid: false },
  };
  const { record } = await stack.execute('record_store.push_record', push);
  for (const payload of [
    { order: 1, customer: 'Ada', items: ['tea', 'milk'], paid: false },
    { order: 1, customer: 'Ada Lovelace', items: ['tea', 'milk'], paid: true },
  ])
    await stack.execute('record_store.replace_record', {
      collection_id: collection.id,
      record_id: record.id,
      payload,
    });
  const { record: archived } = await stack.execute('record_store.push_record', push);
  await stack.execute('record_store.archive_record', {
    collection_id: collection.id,
    record_id: archived.id,
  });
  await stack.execute('procedures.create_draft', {
    slug: 'welcome-a-customer',
    title: 'Welcome a customer',
    description: 'What to do after the first order.',
    markdown: '# Welcome a customer\n\n1. Say hello.\n2. Ask what they need.\n',
  });
  await stack.execute('mail.send_email', {
    to: ['ada@example.com'],
    subject: 'Your order',
    body: 'It is on its way.',
  });
  const { base_url: url, owner, member } = demo;
  for (const [name, token] of [
    ['Nightly import', owner.token],
    ['Report of the week', member.token],
  ] as const) {
    const { secret } = await createGrant(url, token, {
      name,
      operations: ['record_store.push_record', 'record_store.get_record'],
      data: { collectionIds: [collection.id] },
      maximumCadence: { invocations: 50, periodSeconds: 86_400 },
    });
    for (const [index, target] of [collection.id, collection.id, 'col_other'].entries()) {
      const answer = await fetch(`${url}/api/v1/operations/record_store.push_record`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${secret}`,
          'Content-Type': 'application/json',
          'x-routine-invocation-id': `night-${index}`,
        },
        body: JSON.stringify({
          collection_id: target,
          payload: { row: index },
          idempotency_key: `row-${index}`,
        }),
      });
      expect(answer.status).toBe(target === collection.id ? 200 : 403);
    }
  }
  await createGrant(url, owner.token, { operationScope: 'record_store.push_record', name: 'A form' });
  const { endpoint } = await stack.call('POST', '/api/v1/webhook-endpoints', {
    url: 'http://127.0.0.1:9/',
    description: 'Search index',
  });
  await stack.call('PUT', '/api/v1/custom-operations/custom.refund_order', {
    title: 'Refund an order',
    description: 'Gives the money back.',
    effect: 'write',
    availability: 'owner_workspace',
    inputSchema: { type: 'object', properties: { order: { type: 'string' } }, additionalProperties: false },
    url: 'https://orders.example.com/refunds',
  });
  const operator = await freshOwner(stack);
  await stack.call(
    'PUT',
    '/api/v1/approval-rules',
    { revision: 0, rules: [{ operations: ['record_store.delete_record'] }] },
    operator,
  );
  const held = await execute(url, owner.token, 'record_store.delete_record', {
    collection_id: collection.id,
    record_id: archived.id,
  });
  expect(held.status).toBe(403);
  const { approvals } = await stack.call('GET', '/api/v1/approvals');
  await stack.call('POST', `/api/v1/webhook-endpoints/${endpoint.id}/test`, {});
  // A Member sees no approval of others: theirs is of their own call.
  await stack.call(
    'PUT',
    '/api/v1/approval-rules',
    { revision: 1, rules: [{ operations: ['record_store.delete_record', 'procedures.create_draft'] }] },
    operator,
  );
  const draft = { slug: 'of-a-member', title: 'T', description: '', markdown: 'x' };
  expect((await execute(url, member.token, 'procedures.create_draft', draft)).status).toBe(403);
  const { approvals: own } = await stack.call('GET', '/api/v1/approvals', undefined, member.token);
  expect(approvals).toHaveLength(1);
  return { collection: collection.id, record: record.id, approval: own[0].id, webhook: endpoint.id };
}

/** A token as after a sign-in of now. */
async function freshOwner({ process, demo }: ConsoleStack): Promise<string> {
  const { token } = await process.admin(
    'token',
    '--workspace',
    demo.workspace_id,
    '--user',
    demo.owner.user_id,
    '--fresh',
  );
  return token as string;
}
