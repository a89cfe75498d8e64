import { createGrant } from '@action-platform/testing/http';
import { expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import { withMongo } from '../with-mongo.ts';
import { describeConsole, untilLoaded, visit } from './console-stack.ts';

const MANY = 10_000;
const LAST = 'many-09999';

describeConsole(`the console of a Workspace with ${MANY} of everything`, (stack) => {
  /** Stores copies of the one document of a kind, as its service stored that, with other values in some fields. */
  const multiply = (
    service: 'record-store' | 'grants' | 'events',
    collection: string,
    _id: unknown,
    change: (name: string, number: number) => object,
  ) =>
    withMongo(stack.platform.databaseUrl(service), async (client) => {
      const stored = client.db(service).collection<Document>(collection);
      const { idempotency_key: _key, ...made } = (await stored.findOne({ _id: _id as never }))!;
      const names = Array.from({ length: MANY }, (_, index) => `many-${String(index).padStart(5, '0')}`);
      await stored.insertMany(names.map((name, number) => ({ ...made, ...change(name, number) }) as never));
    });
  const idOf = (prefix: string, name: string) => `${prefix}_${name.replace('-', '_')}`.padEnd(36, '0');

  test('they are there', async () => {
    const { base_url: url, owner, workspace_id } = stack.demo;
    const { collection } = await stack.owner.execute('record_store.create_collection', { name: 'first' });
    await multiply('record-store', 'collections', collection.id, (name) => ({
      _id: idOf('col', name),
      name,
    }));
    const grant = await createGrant(url, owner.token, {
      name: 'first',
      operationScope: 'record_store.get_usage',
    });
    await multiply('grants', 'grants', grant.id, (name) => ({
      _id: idOf('ogr', name),
      name,
      secret_hash: name,
    }));
    await stack.owner.request('POST', '/api/v1/members', { userId: 'first' });
    await multiply('grants', 'members', { workspace_id, user_id: 'first' }, (name) => ({
      _id: { workspace_id, user_id: name },
    }));
    const { endpoint } = await stack.owner.request('POST', '/api/v1/webhook-endpoints', {
      url: 'http://127.0.0.1:9/first',
    });
    await multiply('events', 'webhook_endpoints', endpoint.id, (name, number) => ({
      _id: idOf('whe', name),
      url: `http://127.0.0.1:9/${name}`,
      slot: 100 + number,
      status: 'disabled',
    }));
  });

  test.each(['records', 'grants?kind=operation', 'members', 'webhooks'])(
    'the last one of %s is found by a search, among all of them',
    async (path) => {
      const page = await stack.openAs('demo-owner', `/console/${path}`);
      await page.getByText('Page 1', { exact: true }).waitFor();
      const search = page.getByRole('searchbox', { name: /^Search: / });
      await search.focus();
      await page.keyboard.type('many');
      await page.getByText('the first are shown, so search for more words').waitFor();
      // The caret stays in the search while the rows change.
      await page.keyboard.type(LAST.replace('many', ''));
      await page.getByText(/^1 found among 1000\d$/).waitFor();
      expect(await page.getByRole('row', { name: LAST }).count()).toBe(1);
      expect(await search.inputValue()).toBe(LAST);
    },
  );

  test('a form finds it among its choices, a filter says what it leaves out, and Ctrl K finds it from everywhere', async () => {
    const page = await stack.openAs('demo-owner', '/console/grants');
    await page.getByRole('button', { name: 'New grant' }).click();
    const collections = page.locator('dialog[open]').getByRole('group', { name: 'Collections' }).first();
    await collections.getByText(/99\d\d more are not shown: search for them/).waitFor();
    await collections.getByLabel('Search among').fill(LAST);
    await collections.getByLabel(LAST).check();
    await page.keyboard.press('Escape');

    await visit(page, '/console/audit');
    await untilLoaded(page);
    for (const name of ['Grant', 'Member'])
      await page
        .locator('label', { hasText: name })
        .getByText(/The first 500 of 1000\d are suggested/)
        .waitFor();

    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search pages, names and ids' }).fill('many');
    await page.getByText(/\d{5} more are not shown: search for more words/).waitFor();
    await page.getByRole('combobox', { name: 'Search pages, names and ids' }).fill(LAST);
    await page.getByRole('option', { name: 'collection' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1 }).waitFor();
    stack.expectNothingForeign();
  });
});
