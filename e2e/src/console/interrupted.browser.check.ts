import type { Page, Route } from '@action-platform/testing/browser';
import { Caller } from '@action-platform/testing/http';
import { expect, test } from '@jest/globals';
import { decide, setRules } from '../approval-rules.ts';
import { describeConsole, editedOperation, sendDialog, untilLoaded, visit } from './console-stack.ts';

describeConsole('what somebody enters at the console, when a sign-in comes between', (stack) => {
  const dialogOf = (page: Page) => page.locator('dialog[open]');

  /** A Record of a new Collection, as the input of calls and as the address of its page. */
  const newRecord = async (name: string) => {
    const { collection } = await stack.owner.execute('record_store.create_collection', { name });
    const collection_id = collection.id;
    const { record } = await stack.owner.execute('record_store.push_record', {
      collection_id,
      payload: { n: 1 },
    });
    const path = `/console/records/${collection_id}/${record.id}`;
    return { reference: { collection_id, record_id: record.id }, path };
  };

  /** An Owner who has just signed in. */
  const freshOwner = async () => {
    const { workspace_id, owner, base_url } = stack.demo;
    return new Caller(base_url, await stack.platform.operator.freshToken(workspace_id, owner.user_id));
  };

  /** Has the session end with the next call of a path. */
  const endSession = (page: Page, path: string) => {
    const error = { code: 'token_expired', message: 'It has ended.', next: 'Sign in.', requestId: 'r' };
    return page.route(`**${path}`, (route) => route.fulfill({ status: 401, json: { error } }), { times: 1 });
  };

  test('the payload of a Record stays beside the change of somebody else', async () => {
    const { reference, path } = await newRecord('between');
    const page = await stack.openAs('demo-owner', path);
    await endSession(page, '/record_store.replace_record');
    await sendDialog(page, 'Edit', 'Save the Record', { Payload: '{"mine":true}' });
    const signIn = dialogOf(page).getByRole('button', { name: 'Sign in', exact: true });
    await signIn.waitFor();
    await stack.owner.execute('record_store.replace_record', { ...reference, payload: { theirs: true } });
    await signIn.click();
    await dialogOf(page).getByText('"theirs": true').waitFor();
    await dialogOf(page).getByText('Somebody else changed this').waitFor();
    expect(await dialogOf(page).getByLabel('Payload').inputValue()).toBe('{"mine":true}');
  });

  test('an edit keeps what was changed, and takes all else as it is', async () => {
    const address = '/api/v1/custom-operations/custom.edited_between';
    await stack.owner.request('PUT', address, editedOperation);
    const page = await stack.openAs('demo-owner', '/console/custom-operations');
    await page.getByRole('button', { name: 'Change' }).click();
    await dialogOf(page).getByLabel('Title').fill('Mine');
    await endSession(page, address);
    await dialogOf(page).getByRole('button', { name: 'Save the operation' }).click();
    const signIn = dialogOf(page).getByRole('button', { name: 'Sign in', exact: true });
    await signIn.waitFor();
    const theirs = { ...editedOperation, description: 'Theirs.', expectedRevision: 1 };
    await stack.owner.request('PUT', address, theirs);
    await signIn.click();
    await dialogOf(page).getByText('Somebody else changed this').waitFor();
    await dialogOf(page).getByRole('button', { name: 'Save the operation' }).click();
    await dialogOf(page).waitFor({ state: 'hidden' });
    const { operation } = await stack.owner.request('GET', address);
    expect(operation).toMatchObject({ title: 'Mine', description: 'Theirs.' });
  });

  test('an approved call of the console is done from its approval, after a reload', async () => {
    const owner = await freshOwner();
    const { collection } = await owner.execute('record_store.create_collection', { name: 'held' });
    await setRules(owner, [{ operations: ['record_store.push_record'] }]);
    const page = await stack.openAs('demo-owner', `/console/records/${collection.id}`);
    await sendDialog(page, 'Push a Record', 'Push it', { Payload: '{"held":12345678901234567890}' });
    await dialogOf(page).getByRole('alert').waitFor();
    const { approvals } = await owner.request('GET', '/api/v1/approvals');
    await decide(owner, approvals[0].id, 'approve');
    await page.goto(`${stack.demo.base_url}/console/approvals/${approvals[0].id}`);
    await page.getByRole('button', { name: 'Do it now' }).click();
    await page.getByRole('status').getByText('executed').waitFor();
    await setRules(owner, []);
    const { records } = await owner.execute('record_store.list_records', { collection_id: collection.id });
    expect(records).toHaveLength(1);
  });

  test('an approved call without a key that no rule holds any more is done once for each click, and not again on its page', async () => {
    const owner = await freshOwner();
    const { reference } = await newRecord('released');
    const input = { ...reference, payload: { n: 2 } };
    await setRules(owner, [{ operations: ['record_store.replace_record'] }]);
    await expect(owner.execute('record_store.replace_record', input)).rejects.toThrow('approval_required');
    const { approvals } = await owner.request('GET', '/api/v1/approvals');
    await decide(owner, approvals[0].id, 'approve');
    await setRules(owner, []);
    const page = await stack.openAs('demo-owner', `/console/approvals/${approvals[0].id}`);
    const version = async () => (await owner.execute('record_store.get_record', reference)).record.version;
    const loseAnswer = async (route: Route) => {
      await route.fetch();
      await route.abort();
    };
    await page.route('**/record_store.replace_record', loseAnswer, { times: 1 });
    const button = page.getByRole('button', { name: 'Do it now' });
    await button.click();
    await page.getByText('Look first whether it was done.').waitFor();
    expect(await version()).toBe(2);
    await button.click();
    await page.getByRole('status').getByText('The call was done.').waitFor();
    expect(await button.count()).toBe(0);
    expect(await version()).toBe(3);
  });

  test('the playground keeps a call until it is sent', async () => {
    const path = '/console/playground?operation=record_store.create_collection&way=JSON';
    const page = await stack.openAs('demo-owner', path);
    const input = page.getByLabel('Input as JSON');
    await input.fill('{"name":"kept"}');
    await endSession(page, '/record_store.create_collection');
    await page.getByRole('button', { name: 'Call it' }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect(await input.inputValue()).toBe('{"name":"kept"}');
    await page.getByRole('button', { name: 'Call it' }).click();
    await page.locator('.json').getByText('"kept"').waitFor();
    await visit(page, path);
    expect(await input.inputValue()).not.toContain('kept');
  });

  test('the removal of a rule does not open for another rule that has its number by then', async () => {
    const owner = await freshOwner();
    const rules = ['mail.send_email', 'procedures.create_draft', 'record_store.archive_record'].map((id) => ({
      operations: [id],
    }));
    await setRules(owner, rules);
    const page = await stack.openAs('demo-owner', '/console/approvals');
    await untilLoaded(page);
    await page.evaluate(`import('/console/assets/platform/sign-in.js').then(({ notFresh }) => notFresh())`);
    await page.getByRole('button', { name: 'Remove rule 2' }).click();
    const again = dialogOf(page).getByRole('button', { name: 'Sign in again' });
    await again.waitFor();
    await setRules(owner, rules.slice(1));
    await again.click();
    await page.getByRole('alert').getByText('Somebody else changed this').waitFor();
    expect(await dialogOf(page).count()).toBe(0);
    await setRules(owner, []);
  });
});
