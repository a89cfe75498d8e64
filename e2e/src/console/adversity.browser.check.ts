import type { Page } from '@action-platform/testing/browser';
import { expect, test } from '@jest/globals';
import { describeConsole, failFirst, loseAnswer, untilLoaded } from './console-stack.ts';

const BUSY = { code: 'action_platform_unavailable', message: 'Busy.', next: 'Repeat it.', requestId: 'r' };
const GRANTS = 10_000;
const PAGE = 50;

describeConsole('the console when something fails or is large', (stack) => {
  test('a sign-in provider that is away is named, once, with a button', async () => {
    const page = await stack.browser.open('/livez');
    const asked: string[] = [];
    await page.route('**/.well-known/openid-configuration', async (route) => {
      asked.push(route.request().url());
      await route.abort();
    });
    await page.goto(`${stack.demo.base_url}/console`);
    expect(await page.getByRole('alert').textContent()).toContain('does not answer');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(asked).toHaveLength(1);
  });

  test('an answer of another issuer signs nobody in', async () => {
    const page = await stack.browser.open('/livez');
    const calls: string[] = [];
    page.on('request', (request) => calls.push(new URL(request.url()).pathname));
    await page.goto(`${stack.demo.base_url}/console/files`);
    await page.getByRole('button', { name: 'demo-owner' }).waitFor();
    const state = new URL(page.url()).searchParams.get('state')!;
    await page.goto(
      `${stack.demo.base_url}/console?${new URLSearchParams({ code: 'c', state, iss: 'https://other.test' })}`,
    );
    expect(await page.getByRole('alert').textContent()).toContain('iss');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(calls.filter((path) => /^\/api|\/token$/.test(path))).toEqual([]);
  });

  test('after 503 a call waits, and is made once more', async () => {
    const page = await stack.openAs('demo-owner', '/console/records');
    const sent = await failFirst(page, '/record_store.create_collection', async (route, call) => {
      if (call === 1)
        await route.fulfill({ status: 503, headers: { 'Retry-After': '1' }, json: { error: BUSY } });
      return call === 1;
    });
    await page.getByRole('button', { name: 'Create a Collection' }).click();
    await page.getByLabel('Name').fill('busy');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Collection' }).waitFor();
    expect(sent).toEqual([sent[0], sent[0]]);
  });

  test('a grant whose answer is lost twice is made once, with the next click', async () => {
    const page = await stack.openAs('demo-owner', '/console/grants');
    await untilLoaded(page);
    const sent = await failFirst(
      page,
      '/api/v1/operation-grants',
      async (route, call) => call < 3 && loseAnswer(route),
    );
    await page.getByText('Make an operation grant').click();
    const form = page.locator('details[open]').first();
    await form.getByRole('button', { name: 'Make it' }).click();
    await form.getByText('Perhaps it was done.').waitFor();
    await form.getByRole('button', { name: 'Make it' }).click();
    await page.locator('pre', { hasText: /^apo_/ }).waitFor();
    expect(sent).toEqual([sent[0], sent[0], sent[0]]);
    expect(JSON.parse(sent[0]!).idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
    expect((await stack.call('GET', '/api/v1/operation-grants')).grants).toHaveLength(1);
  });

  test('an export too large for a browser becomes a command', async () => {
    const page = await stack.openAs('demo-owner', '/console/audit?code=ok');
    await page.route('**/api/v1/audit/entries?*', (route) =>
      route.fulfill({ status: 200, contentType: 'text/csv', body: 'x'.repeat(65 * 2 ** 20) }),
    );
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByText('It is too large for a browser.').waitFor();
    expect(await page.locator('main').textContent()).toContain('/api/v1/audit/entries?code=ok&format=csv"');
    stack.expectNothingForeign();
  });

  test('an export is saved as it came, and the log is verified', async () => {
    const page = await stack.openAs('demo-owner', '/console/audit');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    const chunks = await (await download.createReadStream()).toArray();
    expect(Buffer.concat(chunks as Buffer[]).toString()).toMatch(/^at,request_id,/);
    await page.getByRole('button', { name: 'Verify the log' }).click();
    await page.getByText('as the platform sealed it').waitFor();
    stack.expectNothingForeign();
  });

  test(`${GRANTS} grants take the memory of a page`, async () => {
    const page = await stack.openAs('demo-owner', '/console');
    await page.route(/\/api\/v1\/routine-grants/, (route) => {
      const from = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
      const next = from + PAGE;
      return route.fulfill({
        status: 200,
        contentType: 'application/json',
        body: JSON.stringify({ grants: grantsFrom(from), nextCursor: next < GRANTS ? String(next) : null }),
      });
    });
    await page.getByRole('link', { name: 'Grants' }).click();
    const next = page.getByRole('button', { name: 'Next page' });
    await next.waitFor();
    const heap = heapOf(page);
    const atFirst = await heap();
    for (let number = 2; number <= GRANTS / PAGE; number++) {
      await next.click();
      await page.getByRole('cell', { name: `grant ${(number - 1) * PAGE} ` }).waitFor();
    }
    expect(await next.isDisabled()).toBe(true);
    expect(await page.locator('tbody tr').count()).toBe(PAGE);
    const grown = (await heap()) - atFirst;
    process.stderr.write(`${GRANTS} grants: the heap grew by ${grown} bytes from ${atFirst}\n`);
    expect(grown).toBeLessThan(2 * 2 ** 20);
  });
});

/** A page of grants. */
const grantsFrom = (from: number) =>
  Array.from({ length: PAGE }, (_, index) => ({
    id: `rgr_${from + index}`,
    kind: 'routine',
    name: `grant ${from + index} `.padEnd(90, 'x'),
    userId: 'mika',
    operations: ['record_store.push_record'],
    data: {},
    maximumCadence: { invocations: 1, periodSeconds: 60 },
    outputDefinition: null,
    expiresAt: '2030-01-01T00:00:00Z',
    lastUsedAt: null,
    secretHint: 'abcd',
    status: 'active',
  }));

/** The size of a page's heap after a garbage collection, in bytes. */
function heapOf(page: Page): () => Promise<number> {
  const session = page.context().newCDPSession(page);
  return async () => {
    const network = await session;
    await network.send('HeapProfiler.collectGarbage');
    const { usedSize } = await network.send('Runtime.getHeapUsage');
    return usedSize;
  };
}
