import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from '@action-platform/testing/browser';
import { expect, test } from '@jest/globals';
import { describeConsole, visit } from './console-stack.ts';
import { fill, memberPages, ownerPages } from './sample-workspace.ts';

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

/** The buttons that open a dialog, or for a form of the page none, the button that sends it, and what is typed; true ticks a box. */
type Step = readonly [
  open: readonly string[],
  send: string,
  entered?: Readonly<Record<string, string | true>>,
];

/** Opens a dialog by keyboard, fills it in and sends it; expects that it is done, and that the focus is somewhere. */
async function complete(page: Page, path: string, [open, send, entered = {}]: Step): Promise<void> {
  await visit(page, `/console/${path}`);
  for (const name of open) {
    await tabTo(page, name);
    await page.keyboard.press('Enter');
    await page.locator('dialog[open] form').first().waitFor();
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
    for (const path of [...memberPages(ids), ...ownerPages(ids)]) {
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

  test('a listing that follows events leaves its rows as they are while one has the focus or selected text', async () => {
    const page = await stack.openAs('demo-owner', '/console/requests');
    const isAsked = () => page.waitForRequest('**/audit.list_entries');
    // The timers of a page fire in their order, so the reload has come or was deferred.
    const event = `import('/console/assets/elements/table.js').then(async ({ reloadSoon }) => {
      reloadSoon(0);
      await new Promise((resolve) => setTimeout(resolve, 0));
      await new Promise((resolve) => setTimeout(resolve, 0));
    })`;
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/audit.list_entries')) asked++;
    });
    const row = page.locator('paged-table tbody tr').first();
    const heading = page.locator('h1');
    for (const [read, leave] of [
      [() => row.getByRole('button').first().press('Tab'), () => heading.focus()],
      [() => row.selectText(), () => page.evaluate('getSelection().empty()')],
    ] as const) {
      await row.waitFor();
      await page.evaluate(`document.querySelector('paged-table').load()`);
      await read();
      asked = 0;
      await page.evaluate(event);
      expect(asked).toBe(0);
      await Promise.all([isAsked(), leave()]);
    }
  });

  test('Tab, Enter, Space and Escape complete every dialog and form, and the focus stays on the page', async () => {
    const page = await stack.openAs('demo-owner', '/console');
    const local = { Address: 'keys@example.com', Kind: 'a folder' };
    const operation = {
      Id: 'custom.a_key',
      Title: 'Keys',
      'Description, for people and models': 'Tries the keys.',
      Endpoint: 'https://orders.example.com/keys',
    };
    const steps: readonly [path: string, ...steps: Step[]][] = [
      [`approvals/${ids.approval}`, [[], 'Approve this call', { 'Reason, for the caller': 'Agreed' }]],
      [
        'approvals',
        [['Add a rule'], 'Add the rule', { 'Another Owner must approve': true }],
        [['Change rule 2'], 'Save rule 2', { 'Calls of': 'grants' }],
        [['Remove rule 2'], 'Remove rule 2'],
        [['Remove rule 1'], 'Remove rule 1'],
      ],
      ['records', [['Create a Collection'], 'Create', { Name: 'Keys' }]],
      [`records/${ids.collection}`, [['Push a Record'], 'Push it', { Payload: '{"keys":true}' }]],
      [
        `records/${ids.collection}/${ids.record}`,
        [['Edit'], 'Save the Record', { Payload: '{"keys":1}' }],
        [['Restore version 1'], 'Restore this version'],
        [['Archive'], 'Archive the Record'],
        [['Restore'], 'Restore the Record'],
        [['Archive'], 'Archive the Record'],
        [['Delete'], 'Delete it for good'],
      ],
      [
        'grants',
        [['New grant'], 'Make the grant', { Name: 'Keys', 'List audit entries': true }],
        [['New grant'], 'Make the grant', { Name: 'Keys', Kind: 'operation' }],
        [['Revoke'], 'Revoke the grant'],
      ],
      [
        'mail',
        [['Connect a mailbox'], 'Connect', local],
        [['Disconnect'], 'Disconnect the mailbox'],
        [['Add a shared mailbox'], 'Add', { ...local, 'Name beside the address': 'Keys' }],
        [['Change'], 'Save the mailbox', { 'For jobs': true }],
        [['Remove'], 'Remove it for everyone'],
      ],
      [
        'members',
        [['Add a Member'], 'Add', { 'User id at the sign-in provider': 'aaron' }],
        [['Change'], 'Save the Member', { 'Name for people': 'Aaron' }],
        [['Remove'], 'Remove the Member'],
      ],
      [
        'custom-operations',
        [['Register an operation'], 'Save the operation', operation],
        [['Change'], 'Save the operation', { Title: 'Key' }],
        [['Remove'], 'Remove the operation'],
      ],
      ['webhooks', [['Add an endpoint'], 'Add', { URL: 'http://127.0.0.1:9/keys' }]],
      [
        `webhooks/${ids.webhook}`,
        [['Send a test'], 'Send the test'],
        [['Send again'], 'Send it again'],
        [['Change'], 'Save the endpoint', { Description: 'Keys' }],
        [['Rotate the secret'], 'Make a new secret'],
        [['Disable'], 'Disable the endpoint'],
        [['Enable'], 'Enable the endpoint'],
        [['Delete'], 'Delete the endpoint'],
      ],
      ['playground?operation=record_store.get_usage', [[], 'Call it']],
      ['audit', [[], 'Find', { Code: 'ok' }], [[], 'Verify the log']],
    ];
    for (const [path, ...there] of steps) for (const step of there) await complete(page, path, step);
    stack.expectNothingForeign();
  });
});
