import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from '@action-platform/testing/browser';
import { Caller, execute } from '@action-platform/testing/http';
import { expect, test } from '@jest/globals';
import { setRules } from '../approval-rules.ts';
import { describeConsole, untilLoaded } from './console-stack.ts';

const PUSH = 'record_store.push_record';

describeConsole('a rule with a condition and an approver', (stack) => {
  test('is saved as it reads, when its comparison and field change after its value; a condition that nobody edits stays to the byte', async () => {
    const { workspace_id, owner, base_url } = stack.demo;
    const fresh = await stack.platform.operator.freshToken(workspace_id, owner.user_id);
    const untouched = '{"field":"/payload/code","is":"equals","value":9007199254740993}';
    const rules = (when: string, revision: number) =>
      new Caller(base_url, fresh).request(
        'PUT',
        '/api/v1/approval-rules',
        `{"revision":${revision},"rules":[{"operations":["${PUSH}"],"when":[${when}]}]}`,
      );
    await rules(`${untouched},{"field":"/payload/state","is":"equals","value":"a, b"}`, 0);
    const page = await stack.openAs('demo-owner', '/console/approvals');
    await untilLoaded(page);
    await page.getByRole('button', { name: 'Change rule 1' }).click();
    const dialog = page.locator('dialog[open]');
    await dialog.getByLabel('Comparison 2').selectOption('in');
    const add = dialog.getByRole('button', { name: 'Add a condition' });
    await add.click();
    await dialog.getByLabel('Field 3').fill('/payload/amount');
    await dialog.getByLabel('Value 3').fill('12, 13');
    await dialog.getByLabel('Comparison 3').selectOption('in');
    await add.click();
    await dialog.getByLabel('Value 4').fill('2026');
    await dialog.getByLabel('Comparison 4').selectOption('equals');
    await dialog.getByLabel('Field 4').fill('/idempotency_key');
    const [request] = await Promise.all([
      page.waitForRequest((sent) => sent.method() === 'PUT'),
      dialog.getByRole('button', { name: 'Save rule 1' }).click(),
    ]);
    await dialog.waitFor({ state: 'hidden' });
    expect(request.postData()).toContain(`"when":[${untouched},`);
    expect(request.postDataJSON().rules[0].when.slice(1)).toEqual([
      { field: '/payload/state', is: 'in', value: ['a, b'] },
      { field: '/payload/amount', is: 'in', value: [12, 13] },
      { field: '/idempotency_key', is: 'equals', value: '2026' },
    ]);
    await setRules(new Caller(base_url, fresh), []);
  });

  test('is written at the console, and its approver decides on a phone, in three clicks from a message', async () => {
    const { demo } = stack;
    const page = await stack.openAs('demo-owner', '/console/approvals');
    await untilLoaded(page);
    await page.getByRole('button', { name: 'Add a rule' }).click();
    const dialog = page.locator('dialog[open]');
    await dialog.getByText('It would have held').waitFor();
    await dialog.locator('[data-field=operations]').getByText('Only these:').click();
    await dialog.locator(`input[value="${PUSH}"]`).check();
    await dialog.getByRole('button', { name: 'Add a condition' }).click();
    await dialog.getByText('The log keeps no bodies').waitFor();
    await dialog.getByLabel('Field 1').fill('/payload/amount');
    await dialog.getByLabel('Value 1').fill('9007199254740993');
    await dialog.getByRole('checkbox', { name: demo.member.user_id }).check();
    await dialog.getByRole('button', { name: 'Add the rule' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.getByRole('table', { name: 'Rules' }).textContent()).toContain(
      '/payload/amount above 9007199254740993',
    );

    const { collection } = await stack.owner.execute('record_store.create_collection', { name: 'refunds' });
    const push = (amount: string) =>
      execute(
        demo.base_url,
        demo.owner.token,
        PUSH,
        `{"collection_id":"${collection.id}","payload":{"amount":${amount}}}`,
      );
    expect((await push('9007199254740992')).code).toBe('ok');
    const id = String((await push('9007199254740994')).headers['x-operation-approval-id']);
    await page.getByText('/payload/amount').first().waitFor();
    while (!(await page.title()).startsWith('(1) ')) await delay(50);

    // The link of the message is the first click, and the sign-in the second.
    const phone = await stack.openAs('demo-member', `/console/approvals/${id}`, {
      viewport: { width: 390, height: 844 },
    });
    await untilLoaded(phone);
    await phone.getByText('rule 1').waitFor();
    await phone.getByRole('button', { name: 'Approve this call' }).click();
    await phone.getByRole('status').getByText('approved').first().waitFor();
    expect((await push('9007199254740994')).code).toBe('ok');
    stack.expectNothingForeign();
  });

  test('a hidden tab tells of each new call the Member who may decide it, and a click opens Approvals', async () => {
    const { workspace_id, owner, base_url } = stack.demo;
    const fresh = await stack.platform.operator.freshToken(workspace_id, owner.user_id);
    await setRules(new Caller(base_url, fresh), [{ operations: [PUSH], preventSelfApproval: true }]);
    const { collection } = await stack.owner.execute('record_store.create_collection', {
      name: 'told',
      member_writes_enabled: true,
    });
    const push = (n: number, { token } = stack.demo.member) =>
      execute(base_url, token, PUSH, { collection_id: collection.id, payload: { n } });
    const pages = [];
    for (const user of ['demo-owner', 'demo-member']) {
      const page = await stack.openAs(user, '/console/records');
      await page.evaluate(`globalThis.told = [];
        globalThis.Notification = class {
          static permission = 'granted';
          constructor(_title, options) { told.push(this); this.options = options; }
        };
        Object.defineProperty(document, 'hidden', { value: true });`);
      pages.push(page);
    }
    for (const n of [1, 2]) {
      await push(n);
      for (const page of pages) while (!(await page.title()).startsWith(`(${n}) `)) await delay(50);
    }
    const [decider, caller] = pages as [Page, Page];
    await push(3, owner);
    while (!(await decider.title()).startsWith('(3) ')) await delay(50);
    expect(await decider.evaluate('told.map(({ options }) => [options.renotify, options.body])')).toEqual([
      [true, '1 waiting'],
      [true, '2 waiting'],
    ]);
    await decider.evaluate('told[1].onclick()');
    await decider.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor();
    expect(await caller.evaluate('told.length')).toBe(0);
    await setRules(new Caller(base_url, fresh), []);
  });
});
