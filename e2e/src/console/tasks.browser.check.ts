import { Receiver } from '@action-platform/testing';
import { Caller, createGrant, execute } from '@action-platform/testing/http';
import { afterEach, expect, test } from '@jest/globals';
import { setRules } from '../approval-rules.ts';
import { describeConsole, editedOperation, sendDialog, untilLoaded, visit } from './console-stack.ts';

describeConsole('what an Owner and a Member do at the console', (stack) => {
  afterEach(() => stack.expectNothingForeign());

  const push = (collection_id: string, payload: string) =>
    stack.owner.execute(
      'record_store.push_record',
      `{"collection_id":"${collection_id}","payload":${payload}}`,
    );

  test('makes a Collection; a double click makes one', async () => {
    const page = await stack.openAs('demo-owner', '/console/records');
    await page.getByRole('button', { name: 'Create a Collection' }).click();
    await page.getByLabel('Name').fill('orders');
    await page.getByRole('button', { name: 'Create', exact: true }).dblclick();
    await page.getByRole('heading', { level: 1, name: 'orders' }).waitFor();
    const { collections } = await stack.owner.execute('record_store.list_collections', {});
    expect(collections.map(({ name }: { name: string }) => name)).toEqual(['orders']);
  });

  test('sees what changed, and brings a former version back to the byte, unless somebody was faster', async () => {
    const { collection } = await stack.owner.execute('record_store.create_collection', { name: 'versions' });
    const monday = '{ "n": 12345678901234567890, "f":1.0, "b":"\\u0041", "1":[1,2] }';
    const { record } = await push(collection.id, monday);
    const reference = `"collection_id":"${collection.id}","record_id":"${record.id}"`;
    const replace = (payload: string) =>
      stack.owner.execute('record_store.replace_record', `{${reference},"payload":${payload}}`);
    await replace('{"n":12345678901234567891,"1":[1]}');
    const page = await stack.openAs('demo-owner', `/console/records/${collection.id}/${record.id}`);
    await page.getByLabel('before').last().check();
    await page.getByRole('button', { name: 'Fields' }).click();
    const changes = page.getByRole('table', { name: 'What changed' });
    for (const text of ['/n', '12345678901234567890', '12345678901234567891', '/f', '1.0', '/1/1'])
      expect(await changes.innerText()).toContain(text);

    // Somebody else writes meanwhile.
    await replace('{"newer":true}');
    await sendDialog(page, 'Restore version 1', 'Restore this version');
    expect(await page.getByRole('alert').textContent()).toContain('version 3');
    await page.getByText('"newer": true').first().waitFor();
    const history = async () =>
      (await stack.owner.execute('record_store.get_record_history', `{${reference}}`)).revisions.length;
    expect(await history()).toBe(3);

    await sendDialog(page, 'Restore version 1', 'Restore this version');
    await page.locator('.head [role=status]').getByText('4', { exact: true }).waitFor();
    const { base_url, owner } = stack.demo;
    const { text } = await execute(base_url, owner.token, 'record_store.get_record', `{${reference}}`);
    expect(text).toContain(`"payload":${monday}`);
  });

  test('keeps what was typed when somebody else was faster: a Record, a custom operation, a rule', async () => {
    const { collection } = await stack.owner.execute('record_store.create_collection', { name: 'edits' });
    const { record } = await push(collection.id, '{"n":1}');
    const reference = `"collection_id":"${collection.id}","record_id":"${record.id}"`;
    const page = await stack.openAs('demo-owner', `/console/records/${collection.id}/${record.id}`);
    const dialog = page.locator('dialog[open]');
    const save = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
    const refusal = () => dialog.getByRole('alert').textContent();
    const saved = () => dialog.waitFor({ state: 'hidden' });

    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('Payload').fill('{"mine":true}');
    await stack.owner.execute('record_store.replace_record', `{${reference},"payload":{"theirs":true}}`);
    await save('Save the Record');
    expect(await refusal()).toContain('version 2');
    await dialog.getByText('"theirs": true').waitFor();
    await save('Save the Record');
    await saved();
    const { payload } = (await stack.owner.execute('record_store.get_record', `{${reference}}`)).record;
    expect(payload).toEqual({ mine: true });

    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('Payload').press('Control+A');
    await page.keyboard.type('{"late":1}');
    await stack.owner.execute('record_store.archive_record', `{${reference}}`);
    await save('Save the Record');
    await dialog.getByRole('alert').waitFor();
    expect(await dialog.getByLabel('Payload').inputValue()).toBe('{"late":1}');

    const custom = '/api/v1/custom-operations/custom.edited_twice';
    await stack.owner.request('PUT', custom, editedOperation);
    await visit(page, '/console/custom-operations');
    await page.getByRole('button', { name: 'Change' }).click();
    await dialog.getByLabel('Title').fill('Mine');
    await stack.owner.request('PUT', custom, {
      ...editedOperation,
      description: 'Theirs.',
      expectedRevision: 1,
    });
    await save('Save the operation');
    expect(await refusal()).toContain('expectedRevision');
    await save('Save the operation');
    await saved();
    const { operation } = await stack.owner.request('GET', custom);
    expect(operation).toMatchObject({ title: 'Mine', description: 'Theirs.' });

    const { workspace_id, owner, base_url } = stack.demo;
    const fresh = new Caller(base_url, await stack.platform.operator.freshToken(workspace_id, owner.user_id));
    const theirs = { operations: ['mail.send_email'] };
    await visit(page, '/console/approvals');
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await dialog.getByLabel('Another Owner must approve').check();
    await setRules(fresh, [theirs]);
    await save('Add the rule');
    expect(await refusal()).toContain('revision');
    await save('Add the rule');
    await saved();
    const { rules } = await stack.owner.request('GET', '/api/v1/approval-rules');
    expect(rules).toEqual([theirs, { callers: 'everyone', preventSelfApproval: true }]);
    await setRules(fresh, []);
  });

  test('makes a grant for a nightly import, sees its secret once, and revokes it', async () => {
    const page = await stack.openAs('demo-member', '/console/grants');
    await untilLoaded(page);
    await page.getByRole('button', { name: 'New grant' }).click();
    const form = page.locator('dialog[open]');
    await form.getByLabel('Name', { exact: true }).fill('Nightly import');
    for (const box of ['push_record', 'orders'])
      await form.getByRole('checkbox', { name: box }).first().check();
    expect(await form.locator('.curl').textContent()).toContain('$BASE_URL/api/v1/routine-grants');
    const inAWeek = new Date(Date.now() + 604_800_000).toISOString().slice(0, 16);
    await form.getByLabel('Ends').fill('2020-01-01T00:00');
    await form.getByRole('button', { name: 'Make the grant' }).click();
    expect(await form.getByRole('alert').textContent()).toContain('future');
    expect(await form.getByLabel('Ends').and(page.locator(':focus')).count()).toBe(1);
    await form.getByLabel('Ends').fill(inAWeek);
    await form.getByRole('button', { name: 'Make the grant' }).click();
    const secret = await page.locator('pre', { hasText: /^apr_/ }).textContent();
    await page.getByRole('cell', { name: 'Nightly import' }).waitFor();
    expect(secret).toMatch(/^apr_[A-Za-z0-9]{49}$/);
    // The new grant has the focus, with its first call, and the form is empty again.
    const made = page.locator('.report:focus');
    expect(await made.textContent()).toContain("-H 'x-routine-invocation-id: run-1'");
    const asked: string[] = [];
    page.once('dialog', (dialog) => {
      asked.push(dialog.message());
      void dialog.dismiss();
    });
    await page.getByRole('button', { name: 'agents', exact: true }).press('Enter');
    expect([asked.length, page.url()]).toEqual([1, expect.stringMatching(/\/grants$/)]);
    await page.getByRole('button', { name: 'Copy the secret' }).click();
    await page.getByText('Copied').waitFor();
    await page.getByRole('button', { name: 'New grant' }).click();
    expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('');
    expect(await form.getByRole('checkbox', { name: 'orders' }).isChecked()).toBe(false);
    await page.keyboard.press('Escape');
    await page.reload();
    await page.getByRole('cell', { name: 'Nightly import' }).waitFor();
    expect(await page.content()).not.toContain(secret!);
    await sendDialog(page, 'Revoke', 'Revoke the grant');
    await page.getByRole('cell', { name: 'revoked' }).waitFor();
  });

  test('finds out why a request failed, from its id', async () => {
    const { base_url, member } = stack.demo;
    const nowhere = { collection_id: 'col_unknown', payload: {} };
    const { error } = (await execute(base_url, member.token, 'record_store.push_record', nowhere)).json;
    await new Promise((resolve) => setTimeout(resolve, 2000));
    const page = await stack.openAs('demo-member', `/console/requests?request_id=${error.requestId}`);
    const row = page.getByRole('row', { name: error.code });
    await row.getByRole('button').first().click();
    const panel = page.locator('dialog[open]');
    expect(await panel.innerText()).toContain(error.requestId);
    await page.keyboard.press('Escape');
    expect(await row.getByRole('link', { name: error.code }).getAttribute('href')).toBe(
      `/docs/errors/${error.code}`,
    );
  });

  test('adds a Member who asked with a link, and removes one after a list of what stops', async () => {
    const { demo } = stack;
    const page = await stack.openAs('demo-owner', '/console/members?add=leaver');
    await page.getByRole('button', { name: 'Add a Member' }).click();
    expect(await page.getByLabel('User id').inputValue()).toBe('leaver');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('cell', { name: 'leaver' }).waitFor();
    const token = await stack.platform.token(demo.workspace_id, 'leaver');
    await createGrant(demo.base_url, token, {
      operationScope: 'record_store.get_usage',
      name: 'Their script',
    });
    const row = page.getByRole('row', { name: 'leaver' });
    await row.getByRole('button', { name: 'Remove' }).click();
    await page.locator('dialog[open]').getByText('Their script').waitFor();
    await page.locator('dialog[open]').getByRole('button', { name: 'Remove the Member' }).click();
    await page.getByText('leaver was removed. Grants that stopped: 1.').waitFor();
  });

  test('sends a dead delivery again', async () => {
    let status = 410;
    const receiver = await Receiver.start((_received, response) => response.writeHead(status).end());
    const { url } = receiver;
    const page = await stack.openAs('demo-owner', '/console/webhooks');
    await untilLoaded(page);
    await sendDialog(page, 'Add an endpoint', 'Add', { URL: url });
    await page.locator('pre', { hasText: /^whsec_/ }).waitFor();
    await page.getByRole('button', { name: 'Copy the secret' }).click();
    await page.getByText('Copied').waitFor();
    await page.getByRole('link', { name: url }).click();
    await sendDialog(page, 'Send a test', 'Send the test');
    await page.waitForTimeout(1500);
    await visit(page, `${new URL(page.url()).pathname}?status=dead`);
    await page.getByText('disabled: it answered 410').waitFor();
    expect(await page.getByRole('button', { name: /Send|Replay/ }).count()).toBe(0);
    status = 204;
    await sendDialog(page, 'Enable', 'Enable the endpoint');
    await page.getByText('It is enabled.').waitFor();
    await sendDialog(page, 'Send again', 'Send it again');
    await page.getByText('It was sent: see its delivery.').waitFor();
    await page.waitForTimeout(1000);
    await visit(page, `${new URL(page.url()).pathname}?status=delivered`);
    await page.getByRole('row', { name: 'delivered' }).first().waitFor();
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
    receiver.stop();
  });

  test('calls an operation in the playground, as it is filled in and with a grant', async () => {
    const { secret } = await createGrant(stack.demo.base_url, stack.demo.owner.token, {
      operationScope: 'record_store.get_usage',
      name: 'Usage',
    });
    const page = await stack.openAs('demo-owner', '/console/playground?operation=record_store.push_record');
    await untilLoaded(page);
    const { collections } = await stack.owner.execute('record_store.list_collections', {});
    await page.getByLabel('collection_id').fill(collections[0].id);
    await page.getByLabel('payload').fill('{"amount": 1.00, "large": 12345678901234567890}');
    expect(await page.locator('action-form .curl pre').textContent()).toContain(
      '{"amount": 1.00, "large": 12345678901234567890}',
    );
    await page.getByRole('button', { name: 'Call it' }).click();
    await page.locator('.json').getByText('"amount": 1.00').first().waitFor();
    await page.getByLabel('Call with the secret of a grant').fill(secret);
    await page.getByRole('button', { name: 'Use it' }).click();
    await page.getByRole('button', { name: 'Use another' }).waitFor();
    expect(await page.locator('main select option').count()).toBe(1);
    await page.getByRole('button', { name: 'Call it' }).click();
    await page.getByText('"stored_bytes"').waitFor();
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).toBe(
      '[{},{}]',
    );
    expect(await page.locator('main').innerText()).not.toContain(secret);
  });

  test('connects a mailbox by a sign-in at Microsoft, which comes back to the console', async () => {
    const page = await stack.openAs('demo-member', '/console/mail');
    const back = `${stack.demo.base_url}/console/connected?code=c&state=s`;
    const completed: string[] = [];
    await page.route('**/app-connections/authorizations', (route) =>
      route.fulfill({ status: 201, json: { id: 'aut_1', authorizationUrl: back } }),
    );
    await page.route('**/app-connections/authorizations/aut_1', async (route) => {
      completed.push(route.request().postData()!);
      await route.fulfill({ status: 201, json: { connection: {} } });
    });
    // The page has the same heading before and after.
    const connected = page.waitForResponse('**/app-connections/authorizations/aut_1');
    await sendDialog(page, 'Connect Microsoft 365', 'Sign in at Microsoft');
    await connected;
    await page.getByRole('heading', { level: 1, name: 'Mail', exact: true }).waitFor();
    expect(completed).toEqual(['{"code":"c","state":"s"}']);
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/console/mail');
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).toBe('{}');
  });

  test('connects another mailbox, and shares one with a Member', async () => {
    const page = await stack.openAs('demo-owner', '/console/mail');
    await untilLoaded(page);
    const dialog = page.locator('dialog[open]');
    await page.getByRole('button', { name: 'Connect a mailbox' }).click();
    await dialog.getByLabel('Address', { exact: true }).fill('owner@example.com');
    await dialog.getByLabel('Kind').selectOption('local');
    expect(await dialog.getByLabel('Password').isVisible()).toBe(false);
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('cell', { name: 'owner@example.com' }).first().waitFor();
    await page.getByRole('button', { name: 'Add a shared mailbox' }).click();
    await dialog.getByLabel('Address', { exact: true }).fill('support@example.com');
    await dialog.getByLabel('Kind').selectOption('local');
    await dialog.getByLabel('Name beside the address').fill('Support');
    await dialog.getByLabel('Only these').check();
    await dialog.getByLabel('demo-member').check();
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    const row = page.getByRole('row', { name: 'support@example.com' });
    expect(await row.first().innerText()).toContain('demo-member');
  });
});
