import { expect, test } from '@jest/globals';
import { describeConsole, untilLoaded } from './console-stack.ts';

describeConsole('mailboxes at the console', (stack) => {
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
    await page.getByRole('button', { name: 'Connect Microsoft 365' }).click();
    await page.getByRole('button', { name: 'Sign in at Microsoft' }).click();
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
    await dialog.getByLabel('Every Member may use it').uncheck();
    await dialog.getByLabel('demo-member').check();
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    const row = page.getByRole('row', { name: 'support@example.com' });
    expect(await row.first().innerText()).toContain('demo-member');
  });
});
