import type { Page, Route } from '@action-platform/testing/browser';
import { expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import { withMongo } from '../with-mongo.ts';
import { describeConsole, sendDialog, untilLoaded } from './console-stack.ts';

const BUSY = { code: 'action_platform_unavailable', message: 'Busy.', next: 'Repeat it.', requestId: 'r' };
const PAGE = 50;
const RECORDS = 100_000;
/** The most versions of a Record that a page shows. */
const LONGEST_PAGE = 200;
/** How many pages of the Records are turned. */
const TURNED = 100;

describeConsole('the console when something fails or is large', (stack) => {
  /** A Record of a new Collection: its page, its place in calls, and a change of it. */
  const newRecord = async (name: string) => {
    const { collection } = await stack.owner.execute('record_store.create_collection', { name });
    const collection_id = collection.id;
    const push = { collection_id, payload: { n: 1 } };
    const { record } = await stack.owner.execute('record_store.push_record', push);
    const reference = { collection_id, record_id: record.id };
    const change = (n: number) =>
      stack.owner.execute('record_store.replace_record', { ...reference, payload: { n } });
    return { path: `/console/records/${collection_id}/${record.id}`, reference, change };
  };

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
    const { promise: pressed, resolve: press } = Promise.withResolvers<void>();
    const sent = await failFirst(page, '/record_store.create_collection', 1, async (route) => {
      await pressed;
      await route.fulfill({ status: 503, headers: { 'Retry-After': '1' }, json: { error: BUSY } });
    });
    await sendDialog(page, 'Create a Collection', 'Create', { Name: 'busy' });
    const dialog = page.locator('dialog[open]');
    await dialog.getByText('Sending …').waitFor();
    expect(await dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await dialog.count()).toBe(1);
    press();
    await page.getByRole('heading', { level: 1, name: 'busy' }).waitFor();
    expect(sent).toEqual([sent[0], sent[0]]);
  });

  test('Try again after a restore that another change overtook loads the Record', async () => {
    const { path, change } = await newRecord('overtaken');
    await change(2);
    const page = await stack.openAs('demo-owner', path);
    await failFirst(page, '/record_store.replace_record', 2, async (route) => {
      await change(3);
      await busy(route);
    });
    await sendDialog(page, 'Restore version 1', 'Restore this version');
    await page.getByRole('button', { name: 'Try again' }).press('Enter');
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  test('a refused restore of the bytes that a Record has already says so', async () => {
    const { path, change } = await newRecord('same');
    await change(1);
    const page = await stack.openAs('demo-owner', path);
    await failFirst(page, '/record_store.replace_record', 2, busy);
    await sendDialog(page, 'Restore version 1', 'Restore this version');
    await page.locator('dialog[open]').getByRole('alert').waitFor();
  });

  test('an edit of a Record whose answer is lost twice is made once, and is no change of somebody else', async () => {
    const { path } = await newRecord('lost');
    const page = await stack.openAs('demo-owner', path);
    await failFirst(page, '/record_store.replace_record', 2, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await sendDialog(page, 'Edit', 'Save the Record', { Payload: '{"n":2}' });
    await page.locator('dialog[open]').waitFor({ state: 'hidden' });
    await page.locator('.head [role=status]').getByText('2', { exact: true }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByRole('button', { name: 'Edit' }).click();
    expect(await page.locator('dialog[open] version-comparison').count()).toBe(0);
  });

  test('a change of a custom operation whose answer is lost twice is one revision', async () => {
    const path = '/api/v1/custom-operations/custom.lost_answer';
    await stack.owner.request('PUT', path, {
      title: 'Before',
      description: 'Before.',
      effect: 'read',
      availability: 'owner_workspace',
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      url: 'https://orders.example.com/lost',
    });
    const page = await stack.openAs('demo-owner', '/console/custom-operations');
    await failFirst(page, path, 2, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await sendDialog(page, 'Change', 'Save the operation', { Title: 'After' });
    await page.locator('dialog[open]').waitFor({ state: 'hidden' });
    await page.getByRole('row', { name: 'After' }).getByText('revision 2').waitFor();
  });

  test('a grant whose answer is lost twice is made once, with the next click', async () => {
    const page = await stack.openAs('demo-owner', '/console/grants');
    await untilLoaded(page);
    const sent = await failFirst(page, '/api/v1/operation-grants', 2, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('button', { name: 'New grant' }).click();
    const dialog = page.locator('dialog[open]');
    await dialog.getByLabel('Kind').selectOption('operation');
    await dialog.getByLabel('Name', { exact: true }).fill('Once');
    await dialog.getByRole('button', { name: 'Make the grant' }).click();
    await dialog.getByText('Perhaps it was done.').waitFor();
    await dialog.getByRole('button', { name: 'Make the grant' }).click();
    await page.locator('pre', { hasText: /^apo_/ }).waitFor();
    expect(sent).toEqual([sent[0], sent[0], sent[0]]);
    expect(JSON.parse(sent[0]!).idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
    expect((await stack.owner.request('GET', '/api/v1/operation-grants')).grants).toHaveLength(1);
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

  test('a Record of more versions than a page has shows one page of them, and any two are compared', async () => {
    const { path, reference, change } = await newRecord('versions');
    for (let n = 2; n <= LONGEST_PAGE + 5; n++) await change(n);
    const page = await stack.openAs('demo-owner', path);
    await page.getByText(`${LONGEST_PAGE + 5} versions`).waitFor();
    const versions = page.locator('.timeline > li');
    expect(await versions.count()).toBe(LONGEST_PAGE);
    await page.getByRole('button', { name: 'Newest' }).click();
    await versions.first().getByText('current').waitFor();
    expect(await versions.count()).toBe(5);
    await page.getByRole('heading', { name: `Version ${LONGEST_PAGE + 4} → ${LONGEST_PAGE + 5}` }).waitFor();
    await page.getByRole('button', { name: 'Older' }).click();
    await versions.last().getByText('Version 1', { exact: true }).waitFor();
    await versions.last().getByLabel('before').check();
    await page.getByRole('heading', { name: `Version 1 → ${LONGEST_PAGE + 5}` }).waitFor();

    // A refused restore keeps its version and its page, and an edit shows over a sign-in what somebody else changed.
    await page.getByRole('button', { name: 'Newest' }).click();
    await failFirst(page, '/record_store.replace_record', 2, busy);
    await sendDialog(page, `Restore version ${LONGEST_PAGE + 3}`, 'Restore this version');
    await page.getByRole('button', { name: 'Try again' }).click();
    await versions
      .first()
      .getByText(`Version ${LONGEST_PAGE + 6}`)
      .waitFor();
    const { record } = await stack.owner.execute('record_store.get_record', reference);
    expect(record.payload).toEqual({ n: LONGEST_PAGE + 3 });
    const error = { ...BUSY, code: 'token_expired' };
    await failFirst(page, '/record_store.replace_record', 1, (route) =>
      route.fulfill({ status: 401, json: { error } }),
    );
    await sendDialog(page, 'Edit', 'Save the Record', { Payload: '{"mine":true}' });
    await change(0);
    await page.locator('dialog[open]').getByRole('button', { name: 'Sign in', exact: true }).click();
    const versionsOfChange = `Version ${LONGEST_PAGE + 6} → ${LONGEST_PAGE + 7}`;
    await page.locator('dialog[open]').getByRole('heading', { name: versionsOfChange }).waitFor();
  });

  test(`a Collection of ${RECORDS} Records takes the memory of a page`, async () => {
    const { collection } = await stack.owner.execute('record_store.create_collection', { name: 'large' });
    const { record } = await stack.owner.execute('record_store.push_record', {
      collection_id: collection.id,
      payload: { text: 'x'.repeat(200) },
    });
    await multiplyRecord(stack.platform.databaseUrl('record-store'), record.id);
    const page = await stack.openAs('demo-owner', `/console/records/${collection.id}`);
    const next = page.getByRole('button', { name: 'Next page' });
    await next.press('Enter');
    await page.getByText('Page 2', { exact: true }).waitFor();
    expect(await next.and(page.locator(':focus')).count()).toBe(1);
    await page.getByRole('button', { name: 'First page' }).click();
    await page.getByText('Page 1', { exact: true }).waitFor();
    await expectFlat(page, async () => {
      for (let number = 2; number <= TURNED; number++) {
        await next.click();
        await page.getByText(`Page ${number}`, { exact: true }).waitFor();
      }
    });
    expect(await next.isEnabled()).toBe(true);
  });
});

/** Answers that the platform is busy. */
const busy = (route: Route) =>
  route.fulfill({ status: 503, headers: { 'Retry-After': '0' }, json: { error: BUSY } });

/** Has the first calls of an operation or route fail; returns the bodies of all that were sent. */
async function failFirst(page: Page, path: string, times: number, fail: (route: Route) => Promise<void>) {
  const sent: string[] = [];
  await page.route(`**${path}`, async (route) => {
    const isCall = route.request().method() !== 'GET';
    const isFailing = isCall && sent.push(route.request().postData()!) <= times;
    await (isFailing ? fail(route) : route.continue());
  });
  return sent;
}

/** Stores a Record many times, as the platform stored it once. */
async function multiplyRecord(url: string, id: string): Promise<void> {
  await withMongo(url, async (client) => {
    const records = client.db('record-store').collection<Document>('records');
    const { push_idempotency_key: _key, ...head } = (await records.findOne({ _id: id as never }))!;
    const copies = (from: number) =>
      Array.from({ length: 10_000 }, (_, index) => ({ ...head, _id: `rec_${from + index}`.padEnd(36, '0') }));
    for (let from = 100_000; from < 100_000 + RECORDS; from += 10_000)
      await records.insertMany(copies(from) as never[], { ordered: false });
  });
}

/** Expects that a page keeps as many rows and elements, and about as much memory, while somebody turns its pages. */
async function expectFlat(page: Page, turn: () => Promise<void>): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const measure = async () => {
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    const { nodes } = await session.send('Memory.getDOMCounters');
    return { usedSize, nodes };
  };
  const before = await measure();
  await turn();
  const after = await measure();
  process.stderr.write(`${RECORDS} Records: ${JSON.stringify({ before, after })}\n`);
  expect(await page.locator('paged-table').first().locator('tbody tr').count()).toBe(PAGE);
  expect(after.usedSize - before.usedSize).toBeLessThan(2 * 2 ** 20);
  expect(after.nodes).toBeLessThan(1.5 * before.nodes);
}
