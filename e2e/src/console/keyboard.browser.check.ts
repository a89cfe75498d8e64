import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from '@action-platform/testing/browser';
import { expect, test } from '@jest/globals';
import { describeConsole, visit } from './console-stack.ts';
import { fill } from './sample-workspace.ts';

/** The most times that Tab is pressed for one control. */
const MOST_PRESSES = 500;

/** The element that has the focus: its text, its number among those seen on this page, and whether a reader sees that it has the focus. */
const FOCUS = `(() => {
  const focused = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(focused);
  globalThis.stops ??= [];
  const index = stops.includes(focused) ? stops.indexOf(focused) : stops.push(focused) - 1;
  const isSeen = focused.checkVisibility() && outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
  const { textContent } = focused.labels?.[0] ?? focused;
  return { index, isSeen, tag: focused.tagName, text: textContent.replaceAll(/\\s+/g, ' ').trim() };
})()`;
interface Focus {
  readonly index: number;
  readonly isSeen: boolean;
  readonly tag: string;
  readonly text: string;
}
/** How many controls a page has; the radio buttons of a name are one. */
const CONTROLS = `new Set([...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
  .filter((control) => control.checkVisibility() && !control.matches(':disabled'))
  .map((control) => (control.type === 'radio' ? control.name : control))).size`;

/** Presses Tab, and returns what has the focus then. */
async function tab(page: Page): Promise<Focus> {
  await page.keyboard.press('Tab');
  return await page.evaluate<Focus>(FOCUS);
}

/** Goes on by Tab to the control whose text is, or fits, this one. */
async function tabTo(page: Page, name: string | RegExp): Promise<Focus> {
  for (let presses = 0; presses < MOST_PRESSES; presses++) {
    const focus = await tab(page);
    if (typeof name === 'string' ? focus.text === name : name.test(focus.text)) return focus;
  }
  throw new Error(`Tab reaches no ${name} on ${page.url()}.`);
}

/** A dialog, or without buttons that open it a form of the page, with what is typed; true ticks a box. */
interface Step {
  readonly path: string;
  readonly open?: readonly string[];
  readonly entered?: Readonly<Record<string, string | true>>;
  readonly send: string;
}

/** Opens a dialog by keyboard, fills it in and sends it; expects that it is done, and that the focus is somewhere. */
async function complete(page: Page, { path, open = [], entered = {}, send }: Step): Promise<void> {
  await visit(page, `/console/${path}`);
  for (const name of open) {
    await tabTo(page, name);
    await page.keyboard.press('Enter');
    await page
      .locator(name.endsWith('…') ? 'main dl' : 'dialog[open]')
      .first()
      .waitFor();
  }
  for (const [label, value] of Object.entries(entered)) {
    const { tag } = await tabTo(page, new RegExp(`^${label}($| )`));
    if (value === true) await page.keyboard.press('Space');
    else {
      if (tag !== 'SELECT') await page.keyboard.press('Control+A');
      await page.keyboard.type(value);
    }
  }
  await tabTo(page, send);
  const pending = new Set<unknown>();
  page.on('request', (request) => pending.add(request));
  for (const event of ['requestfinished', 'requestfailed'] as const)
    page.on(event as 'requestfinished', (request) => pending.delete(request));
  await page.keyboard.press('Enter');
  do await delay(100);
  while (pending.size > 0);
  page.removeAllListeners();
  const step = [path, ...open, send].join(', ');
  const alerts = await page.getByRole('alert').allTextContents();
  expect([step, alerts, await page.locator('dialog[open]').count()]).toEqual([step, [], 0]);
  expect([step, await page.evaluate('document.activeElement.tagName')]).not.toEqual([step, 'BODY']);
}

describeConsole('the console by keyboard alone', (stack) => {
  let ids: Awaited<ReturnType<typeof fill>>;

  test('something of every kind is there', async () => {
    ids = await fill(stack);
  });

  test('Tab reaches every control of every page of an Owner, and each shows its focus', async () => {
    const page = await stack.openAs('demo-owner', '/console');
    for (const path of [
      ...['', 'requests', 'audit', 'approvals', `approvals/${ids.approval}`],
      ...['records', `records/${ids.collection}`, `records/${ids.collection}/${ids.record}`],
      ...['grants', 'mail', 'procedures', 'procedures/welcome-a-customer', 'files', 'playground'],
      ...['members', 'custom-operations', 'webhooks', `webhooks/${ids.webhook}`],
    ]) {
      await visit(page, `/console/${path}`);
      await page.evaluate('globalThis.stops = []');
      const reached = new Set<number>();
      for (let first: number | undefined, presses = 0; presses < MOST_PRESSES; presses++) {
        const { index, tag, text, isSeen } = await tab(page);
        if (tag === 'BODY') continue;
        if (index === first) break;
        first ??= index;
        reached.add(index);
        expect([path, text, isSeen]).toEqual([path, text, true]);
      }
      expect([path, reached.size]).toEqual([path, await page.evaluate(CONTROLS)]);
    }
  });

  test('Tab, Enter, Space and Escape complete every dialog and form, and the focus stays on the page', async () => {
    const page = await stack.openAs('demo-owner', '/console');
    const record = `records/${ids.collection}/${ids.record}`;
    const webhook = `webhooks/${ids.webhook}`;
    const { deliveries } = await stack.call('GET', `/api/v1/webhook-endpoints/${ids.webhook}/deliveries`);
    const local = { Address: 'keys@example.com', Kind: 'a folder' };
    const operation = {
      Id: 'custom.a_key',
      Title: 'Keys',
      'Description, for people and models': 'Tries the keys.',
      Endpoint: 'https://orders.example.com/keys',
    };
    const custom = 'custom-operations';
    const steps: Step[] = [
      {
        path: `approvals/${ids.approval}`,
        entered: { 'Reason, for the caller': 'Agreed' },
        send: 'Approve this call',
      },
      {
        path: 'approvals',
        open: ['Add a rule'],
        entered: { 'Only calls with a grant': true },
        send: 'Add the rule',
      },
      {
        path: 'approvals',
        open: ['Change rule 2'],
        entered: { 'Another Owner must approve': true },
        send: 'Save rule 2',
      },
      { path: 'approvals', open: ['Remove rule 2'], send: 'Remove rule 2' },
      { path: 'approvals', open: ['Remove rule 1'], send: 'Remove rule 1' },
      { path: 'records', open: ['Create a Collection'], entered: { Name: 'Keys' }, send: 'Create' },
      { path: record, open: ['Make version 1 current'], send: 'Make it current' },
      { path: record, open: ['Archive'], send: 'Archive the Record' },
      { path: record, open: ['Restore'], send: 'Restore the Record' },
      { path: record, open: ['Archive'], send: 'Archive the Record' },
      { path: record, open: ['Delete'], send: 'Delete it for good' },
      {
        path: 'grants',
        open: ['Make an operation grant'],
        entered: { Name: 'Keys' },
        send: 'Make the grant',
      },
      { path: 'grants', open: ['Revoke'], send: 'Revoke the grant' },
      { path: 'mail', open: ['Connect a mailbox'], entered: local, send: 'Connect' },
      { path: 'mail', open: ['Disconnect'], send: 'Disconnect the mailbox' },
      {
        path: 'mail',
        open: ['Add a shared mailbox'],
        entered: { ...local, 'Name beside the address': 'Keys' },
        send: 'Add',
      },
      { path: 'mail', open: ['Change'], entered: { 'For jobs': true }, send: 'Save the mailbox' },
      { path: 'mail', open: ['Remove'], send: 'Remove it for everyone' },
      {
        path: 'members',
        open: ['Add a Member'],
        entered: { 'User id at the sign-in provider': 'aaron' },
        send: 'Add',
      },
      { path: 'members', open: ['Change'], entered: { 'Name for people': 'Aaron' }, send: 'Save the Member' },
      { path: 'members', open: ['Remove …', 'Remove'], send: 'Remove the Member' },
      { path: custom, open: ['Register an operation'], entered: operation, send: 'Save the operation' },
      { path: custom, open: ['Open …', 'Change'], entered: { Title: 'Key' }, send: 'Save the operation' },
      { path: custom, open: ['Open …', 'Remove'], send: 'Remove the operation' },
      {
        path: 'webhooks',
        open: ['Add an endpoint'],
        entered: { URL: 'http://127.0.0.1:9/keys' },
        send: 'Add',
      },
      { path: webhook, open: ['Send a test'], send: 'Send the test' },
      { path: webhook, open: ['Send again'], send: 'Send it again' },
      {
        path: webhook,
        open: ['Replay'],
        entered: { 'From this event on': deliveries[0].eventId },
        send: 'Replay the events',
      },
      { path: webhook, open: ['Change'], entered: { Description: 'Keys' }, send: 'Save the endpoint' },
      { path: webhook, open: ['Rotate the secret'], send: 'Make a new secret' },
      { path: webhook, open: ['Disable'], send: 'Disable the endpoint' },
      { path: webhook, open: ['Enable'], send: 'Enable the endpoint' },
      { path: webhook, open: ['Delete'], send: 'Delete the endpoint' },
      { path: 'playground?operation=record_store.get_usage', send: 'Call it' },
      { path: 'audit', entered: { Code: 'ok' }, send: 'Find' },
      { path: 'audit', send: 'Verify the log' },
    ];
    for (const step of steps) await complete(page, step);
    stack.expectNothingForeign();
  });
});
