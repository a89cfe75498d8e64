import { removeMember } from '@action-platform/contracts/calls';
import { Caller } from '@action-platform/testing/http';
import { expect, test } from '@jest/globals';
import { setRules } from '../approval-rules.ts';
import { describeConsole } from './console-stack.ts';

describeConsole('the console of npm start', ({ browser, platform }) => {
  const openAs = async (user: string, path: string) => {
    const page = await browser.open(path, { viewport: { width: 360, height: 780 } });
    await page.getByRole('button', { name: user }).click();
    return page;
  };
  test('a reload and another tab ask for no other click, until a sign-out', async () => {
    const page = await openAs('demo-member', '/console/approvals');
    await page.getByText('No call waits.').waitFor();
    await page.reload();
    await page.getByText('No call waits.').waitFor();
    const other = await page.context().newPage();
    await other.goto(`${platform.demo.base_url}/console/procedures`);
    await other.getByText('There is no draft yet.').waitFor();
    await other.getByRole('button', { name: 'Menu' }).click();
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'demo-member' }).waitFor();
  });

  test('a refresh that is answered after a sign-out signs nobody in', async () => {
    const page = await browser.open('/livez');
    const { promise: refreshing, resolve: refresh } = Promise.withResolvers<void>();
    const { promise: signedOut, resolve: signOut } = Promise.withResolvers<void>();
    let answer: { id_token?: string } = {};
    await page.route('**/.well-known/openid-configuration', async (route) => {
      const response = await route.fetch();
      const { end_session_endpoint: _end, ...json } = await response.json();
      await route.fulfill({ response, json });
    });
    await page.route('**/token', async (route) => {
      if (answer.id_token === undefined)
        answer = { ...(await (await route.fetch()).json()), refresh_token: 'again' };
      else {
        refresh();
        await signedOut;
      }
      await route.fulfill({ headers: { 'access-control-allow-origin': '*' }, json: answer });
    });
    await page.goto(`${platform.demo.base_url}/console/procedures`);
    await page.getByRole('button', { name: 'demo-owner' }).click();
    await page.getByText('There is no draft yet.').waitFor();
    const { exp } = JSON.parse(Buffer.from(answer.id_token!.split('.')[1]!, 'base64url').toString());
    await page.clock.setFixedTime(1000 * (exp - 10));
    await page.getByRole('link', { name: 'Files' }).click();
    await refreshing;
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    // The calls of the page wait for the refresh.
    const called = page.waitForRequest('**/api/v1/**');
    signOut();
    await called;
    const isSignedIn = `import('/console/assets/platform/sign-in.js').then(({ isSignedIn }) => isSignedIn())`;
    expect(await page.evaluate(isSignedIn)).toBe(false);
  });

  test('the admin command signs a token that is as fresh', async () => {
    const { base_url, workspace_id, owner } = platform.demo;
    const who = ['--workspace', workspace_id, '--user', owner.user_id];
    const setRulesWith = async (...fresh: string[]) => {
      const { token } = await platform.admin('token', ...who, ...fresh);
      await setRules(new Caller(base_url, token), []);
    };
    await expect(setRulesWith()).rejects.toThrow('PUT /api/v1/approval-rules: 401');
    await setRulesWith('--fresh');
  });

  test('a Member who is removed meanwhile reads why, and as a stranger a link for Owners', async () => {
    const page = await openAs('demo-member', '/console/procedures');
    await page.getByText('There is no draft yet.').waitFor();
    const { workspace_id: workspace, member } = platform.demo;
    await platform.operate(removeMember, { workspace, user: member.user_id });
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Files' }).click();
    await page.getByRole('alert').waitFor();
    await browser.closePages();

    const stranger = await openAs('demo-member', '/console/files');
    await stranger.getByText(`${platform.demo.base_url}/console/members?add=demo-member`).waitFor();
    expect(await stranger.getByRole('alert').textContent()).toContain('demo-member');
    await stranger.getByRole('button', { name: 'Sign out' }).click();
    await stranger.getByRole('heading', { name: 'You are signed out' }).waitFor();
  });
});
