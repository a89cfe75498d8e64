import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Demo } from '@action-platform/local';
import { describeInBrowser, TestBrowser } from '@action-platform/testing/browser';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { execute, StackProcess } from '../stack-process.ts';

jest.setTimeout(180_000);

const CREATE = 'record_store.create_collection';

describeInBrowser('the console of npm start', () => {
  const stack = new StackProcess();
  const browser = new TestBrowser();
  let demo: Demo;

  beforeAll(async () => {
    demo = await stack.start();
    await browser.start({ url: demo.base_url });
  });
  afterAll(async () => {
    await browser.stop();
    await stack.remove();
  });
  afterEach(() => browser.closePages());

  const openAs = async (user: string, path: string) => {
    const page = await browser.open(path, { viewport: { width: 360, height: 780 } });
    await page.getByRole('button', { name: user }).click();
    return page;
  };
  const create = () => execute(demo.base_url, demo.owner.token, CREATE, { name: 'held' });

  test('is in its greeting, and a click signs in', async () => {
    expect(stack.output).toContain(`Console, for a browser: ${demo.base_url}/console\n`);
    const page = await openAs('demo-member', '/console/approvals');
    await page.getByText('No call waits.').waitFor();
  });

  test('a reload and another tab ask for no other click, until a sign-out', async () => {
    const page = await openAs('demo-member', '/console/approvals');
    await page.getByText('No call waits.').waitFor();
    await page.reload();
    await page.getByText('No call waits.').waitFor();
    const other = await page.context().newPage();
    await other.goto(`${demo.base_url}/console/procedures`);
    await other.getByText('There is no draft yet.').waitFor();
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'demo-member' }).waitFor();
  });

  test('a cancelled sign-in says so', async () => {
    const page = await openAs('Cancel', '/console');
    expect(await page.getByRole('alert').textContent()).toContain('The sign-in was cancelled.');
  });

  test('an Owner sets a rule, approves the call that it holds, and the call goes through', async () => {
    const page = await openAs('demo-owner', '/console/approvals');
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.locator('dialog[open]').getByLabel(CREATE).check();
    await page.getByRole('button', { name: 'Add the rule' }).click();
    await page.getByText('Revision 1.').waitFor();
    expect(await create()).toMatchObject({
      status: 403,
      body: { error: { code: 'operation_approval_required' } },
    });
    await browser.closePages();

    const again = await openAs('demo-owner', '/console/approvals');
    await again.getByRole('link', { name: CREATE }).click();
    await again.getByRole('button', { name: 'Approve this call' }).click();
    await again.getByText('approved, and not executed yet').waitFor();
    expect((await create()).status).toBe(200);
  });

  test('the admin command signs a token that is as fresh', async () => {
    const member = ['--workspace', demo.workspace_id, '--user', demo.owner.user_id];
    const setRules = async (...fresh: string[]) => {
      const { token } = await stack.admin('token', ...member, ...fresh);
      const url = `${demo.base_url}/api/v1/approval-rules`;
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
      const { revision } = (await (await fetch(url, { headers })).json()) as { revision: number };
      const body = JSON.stringify({ revision, rules: [] });
      return (await fetch(url, { method: 'PUT', headers, body })).status;
    };
    expect([await setRules(), await setRules('--fresh')]).toEqual([401, 200]);
  });

  test('a Member who is removed meanwhile reads why, and as a stranger a link for Owners', async () => {
    const page = await openAs('demo-member', '/console/procedures');
    await page.getByText('There is no draft yet.').waitFor();
    await stack.admin('member', 'remove', '--workspace', demo.workspace_id, '--user', demo.member.user_id);
    await page.getByRole('link', { name: 'Files' }).click();
    await page.getByRole('alert').waitFor();
    await browser.closePages();

    const stranger = await openAs('demo-member', '/console/files');
    await stranger.getByText(`${demo.base_url}/console/members?add=demo-member`).waitFor();
    expect(await stranger.getByRole('alert').textContent()).toContain('demo-member');
    await stranger.getByRole('button', { name: 'Sign out' }).click();
    await stranger.getByRole('heading', { name: 'You are signed out' }).waitFor();
  });

  test('no log has a token, or the code of a sign-in', () => {
    const folder = join(stack.directory, 'logs');
    const logs = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(logs.join('')).toContain('"listening"');
    expect(logs.filter((log) => /eyJ|code=/.test(log))).toEqual([]);
  });
});
