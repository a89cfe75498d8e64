import type { Page } from '@action-platform/testing/browser';
import { Caller, createGrant } from '@action-platform/testing/http';
import { expect, test } from '@jest/globals';
import { setRules } from '../approval-rules.ts';
import { describeConsole, untilLoaded, visit } from './console-stack.ts';

/** More than a page of each listing has. */
const MANY = 210;

describeConsole('edits at the console of a large Workspace', (stack) => {
  const numbers = Array.from({ length: MANY }, (_, index) => String(index).padStart(3, '0'));
  let lastCollection = '';
  let lastGrant = '';

  test('there are more Collections, Members and grants than a page has', async () => {
    for (const number of numbers) {
      const { collection } = await stack.owner.execute('record_store.create_collection', {
        name: `c${number}`,
      });
      lastCollection = collection.id;
      await stack.owner.request('POST', '/api/v1/members', { userId: `user-${number}` });
      const grant = { name: `g${number}`, operationScope: 'record_store.push_record' };
      const made = await createGrant(stack.demo.base_url, stack.demo.owner.token, grant);
      // The listing begins with the newest.
      lastGrant ||= made.id;
    }
  });

  /** Opens a dialog of a page, changes the field with this label, saves, and returns the body of the request. */
  const edit = async (page: Page, path: string, [open, label, save]: readonly [string, string, string]) => {
    await visit(page, `/console/${path}`);
    await page.getByRole('button', { name: open, exact: true }).first().click();
    const dialog = page.locator('dialog[open]');
    await untilLoaded(page);
    const button = dialog.getByRole('button', { name: save });
    expect(await button.isDisabled()).toBe(true);
    const control = dialog.getByLabel(label);
    if ((await control.getAttribute('type')) === 'checkbox') await control.check();
    else await control.fill('Changed');
    const [request] = await Promise.all([
      page.waitForRequest((sent) => /PATCH|PUT/.test(sent.method())),
      button.click(),
    ]);
    await dialog.waitFor({ state: 'hidden' });
    return request.postDataJSON();
  };

  test('an edit sends the fields that were changed, and whatever the form does not show stays', async () => {
    const { endpoint } = await stack.owner.request('POST', '/api/v1/webhook-endpoints', {
      url: 'http://127.0.0.1:9/',
      description: 'Index',
      types: ['record.pushed'],
      collectionIds: [lastCollection],
    });
    const lastMember = `user-${numbers.at(-1)}`;
    const mailbox = { email: 'support@example.com', provider: 'local', displayName: 'Support' };
    const { sender } = await stack.owner.request('POST', '/api/v1/senders', {
      ...mailbox,
      members: [lastMember],
      interactive: true,
      scheduled: false,
    });
    const definition = {
      title: 'Refund',
      description: 'Gives the money back.',
      effect: 'write',
      availability: 'owner_workspace',
      destructive: true,
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      outputSchema: { type: 'object' },
      url: 'https://orders.example.com/refunds',
      timeoutMs: 3000,
      refusals: [{ code: 'custom_paid', message: 'It was paid.', next: 'Ask.', recoverable: false }],
    };
    const custom = '/api/v1/custom-operations/custom.refund_order';
    await stack.owner.request('PUT', custom, definition);
    const { workspace_id, owner, base_url } = stack.demo;
    const fresh = await stack.platform.operator.freshToken(workspace_id, owner.user_id);
    const rule = { operations: ['record_store.push_record'], callers: 'grants', grantIds: [lastGrant] };
    await setRules(new Caller(base_url, fresh), [rule as never]);

    const page = await stack.openAs('demo-owner', '/console');
    const edits = {
      webhook: await edit(page, `webhooks/${endpoint.id}`, ['Change', 'Description', 'Save the endpoint']),
      sender: await edit(page, 'mail', ['Change', 'For jobs', 'Save the mailbox']),
      member: await edit(page, 'members', ['Change', 'Name for people', 'Save the Member']),
      rules: await edit(page, 'approvals', ['Change rule 1', 'Another Owner must approve', 'Save rule 1']),
      custom: await edit(page, 'custom-operations', ['Change', 'Title', 'Save the operation']),
    };
    expect(edits).toEqual({
      webhook: { description: 'Changed' },
      sender: { scheduled: true },
      member: { displayName: 'Changed' },
      rules: { revision: 1, rules: [{ ...rule, preventSelfApproval: true }] },
      custom: { ...definition, title: 'Changed', expectedRevision: 1 },
    });
    const { senders } = await stack.owner.request('GET', '/api/v1/senders');
    expect(senders).toEqual([{ ...sender, scheduled: true }]);
  });

  test('a choice beyond the first page is found, and all is a choice of its own', async () => {
    const page = await stack.openAs('demo-owner', '/console/webhooks');
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    const dialog = page.locator('dialog[open]');
    await dialog.getByLabel('URL').fill('http://127.0.0.1:9/last');
    const collections = dialog.getByRole('group', { name: 'Collections' }).first();
    await collections.getByLabel('Only these').check();
    await collections.getByText('more are not shown').waitFor();
    const send = dialog.getByRole('button', { name: 'Add', exact: true });
    await send.click();
    await dialog.getByRole('alert').waitFor();
    await collections.getByLabel('Search among').fill(`c${numbers.at(-1)}`);
    await collections.getByLabel(`c${numbers.at(-1)}`).check();
    const [request] = await Promise.all([
      page.waitForRequest((sent) => sent.method() === 'POST' && sent.url().endsWith('/webhook-endpoints')),
      send.click(),
    ]);
    const body = request.postDataJSON();
    expect([body.types, body.collectionIds]).toEqual([undefined, [lastCollection]]);
  });
});
