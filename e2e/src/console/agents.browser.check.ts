import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@action-platform/testing/browser';
import { execute } from '@action-platform/testing/http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeConsole, untilLoaded, visit } from './console-stack.ts';

const VERIFIER = 'a'.repeat(64);
const WORKLOADS = 'https://workloads.example.com';
const environment = { WORKLOAD_ISSUERS: JSON.stringify([{ issuer: WORKLOADS }]) };

describeConsole(
  'agents at the console',
  (stack) => {
    let program: Server;
    let redirectUri = '';
    let clientId = '';
    const answers: URL[] = [];
    beforeAll(async () => {
      program = createServer(({ url }, response) => {
        if (url!.startsWith('/callback')) answers.push(new URL(url!, redirectUri));
        response.setHeader('content-type', 'text/html').end('<h1>Back at the program</h1>');
      }).listen(0, '127.0.0.1');
      await once(program, 'listening');
      redirectUri = `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`;
      const registered = await form(
        'register',
        JSON.stringify({ client_name: 'Desk', redirect_uris: [redirectUri] }),
      );
      clientId = registered.client_id!;
    });
    afterAll(() => void program.close());

    const form = async (name: string, body: string | URLSearchParams) => {
      const headers = {
        'content-type': typeof body === 'string' ? 'application/json' : 'application/x-www-form-urlencoded',
      };
      const answer = await fetch(`${stack.demo.base_url}/oauth/${name}`, { method: 'POST', headers, body });
      return (await answer.json()) as Record<string, string>;
    };
    const authorize = () =>
      `/oauth/authorize?${new URLSearchParams({
        response_type: 'code',
        ...{ client_id: clientId, redirect_uri: redirectUri, state: 'a&b' },
        code_challenge: hash('sha256', VERIFIER, 'base64url'),
        code_challenge_method: 'S256',
      })}`;
    const answered = async (page: Page) => {
      await page.getByRole('heading', { name: 'Back at the program' }).waitFor();
      return Object.fromEntries(answers.at(-1)!.searchParams);
    };
    const call = async (token: string, id: string, input: object) =>
      (await execute(stack.demo.base_url, token, id, input)).code;
    let collection = '';
    let accessToken = '';

    test('a Member sees who asks, chooses what the program may do, and it does that alone', async () => {
      const made = await stack.owner.execute('record_store.create_collection', {
        name: 'Tickets',
        member_writes_enabled: true,
      });
      collection = made.collection.id;
      const page = await stack.openAs('demo-member', authorize());
      await untilLoaded(page);
      await page.getByRole('heading', { level: 1, name: 'Connect Desk' }).waitFor();
      const text = await page.locator('main').innerText();
      for (const said of ['Nobody vouches', `this computer (${new URL(redirectUri).host})`, 'demo-member'])
        expect(text).toContain(said);
      for (const width of [360, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        const wide = await page.evaluate('document.documentElement.scrollWidth');
        expect({ width, wide, problems: await stack.browser.problemsOf(page) }).toEqual({
          ...{ width, wide: width, problems: [] },
        });
      }
      const box = (id: string) => page.locator(`input[type=checkbox][value="${id}"]`);
      expect(await box('record_store.get_record').isChecked()).toBe(true);
      expect(await box('record_store.push_record').isChecked()).toBe(false);
      await box('record_store.push_record').check();
      const allow = page.getByRole('button', { name: 'Allow it', exact: true });
      await allow.click();
      await page.locator('[data-field=collectionIds] .field-problem').waitFor();
      await box(collection).check();
      await page.locator('[data-field=senderIds] input[type=checkbox]').first().check();
      for (const scope of ['company', 'personal']) await box(scope).check();
      await allow.click();
      const { code, ...rest } = await answered(page);
      expect(rest).toEqual({ state: 'a&b', iss: stack.demo.base_url });
      const exchange = new URLSearchParams({
        ...{ grant_type: 'authorization_code', code: code!, code_verifier: VERIFIER },
        ...{ client_id: clientId, redirect_uri: redirectUri },
      });
      accessToken = (await form('token', exchange)).access_token!;
      const push = { collection_id: collection, payload: {}, idempotency_key: 'one' };
      expect(await call(accessToken, 'record_store.push_record', push)).toBe('ok');
      expect(await call(accessToken, 'procedures.create_draft', {})).toBe('grant_scope_exceeded');
    });

    test('a denial goes back to the program, which gets nothing', async () => {
      const page = await stack.openAs('demo-member', authorize());
      await untilLoaded(page);
      await page.getByRole('button', { name: 'Do not allow it' }).click();
      expect(await answered(page)).toEqual({
        error: 'access_denied',
        state: 'a&b',
        iss: stack.demo.base_url,
      });
    });

    test('what was chosen is kept through a fresh sign-in, for this program alone', async () => {
      const page = await stack.openAs('demo-member', authorize());
      await untilLoaded(page);
      await page.locator('[name=name]').fill('My desk');
      await page.evaluate(`import('/console/assets/platform/sign-in.js').then(({ notFresh }) => notFresh())`);
      await page.locator('[name=name]').fill('My own desk');
      await page.getByRole('button', { name: 'Sign in again' }).click();
      await page.getByRole('heading', { level: 1, name: 'Connect Desk' }).waitFor();
      expect(await page.locator('[name=name]').inputValue()).toBe('My own desk');
      const other = new URLSearchParams({
        ...Object.fromEntries(new URL(page.url()).searchParams),
        state: 'b',
      });
      await visit(page, `/console/connect?${other}`);
      expect(await page.locator('[name=name]').inputValue()).toBe('');
    });

    test('an agent is seen beside the grants, and ended by one click', async () => {
      const page = await stack.openAs('demo-member', '/console/grants?kind=agent');
      const row = page.getByRole('row', { name: 'Desk' });
      await row.getByText('the program calls itself Desk').waitFor();
      await row.getByText('active').waitFor();
      await row.getByRole('button', { name: 'End it' }).click();
      await page.locator('.report:focus').getByText('Desk was ended').waitFor();
      await row.getByText('revoked').waitFor();
      expect(await call(accessToken, 'record_store.get_usage', {})).toBe('grant_revoked');
    });

    test('an Owner lists the programs that may connect, and others may not', async () => {
      const page = await stack.openAs('demo-owner', '/console/agent-policy');
      await untilLoaded(page);
      await page.getByLabel('Members may connect').selectOption('listed');
      await page.getByRole('button', { name: 'Save the policy' }).click();
      await page.getByRole('button', { name: 'Save the policy' }).and(page.locator(':disabled')).waitFor();
      const member = await stack.openAs('demo-member', authorize());
      await member.getByRole('alert').first().waitFor();
      expect(await member.getByRole('button', { name: 'Allow it' }).count()).toBe(0);

      await visit(page, '/console/agent-policy');
      await page.getByRole('button', { name: 'Add a program' }).click();
      const dialog = page.locator('dialog[open]');
      await dialog.getByLabel('Its client_id').fill(clientId);
      await dialog.getByText('Only these:').click();
      await dialog.locator('input[value="record_store.get_usage"]').check();
      await dialog.getByLabel('Most days').fill('7');
      await dialog.getByRole('button', { name: 'Add the program' }).click();
      await dialog.waitFor({ state: 'hidden' });
      await page.getByRole('row', { name: 'Desk' }).getByText('7 days').waitFor();
      expect(await stack.browser.problemsOf(page)).toEqual([]);
      await visit(member, `/console/connect?${new URL(member.url()).searchParams}`);
      await member.getByText('at most 7 days ahead').waitFor();
      expect(await member.locator('[data-field=operations] input[type=checkbox]').count()).toBe(1);
    });

    test('a job without a secret trusts the workload that is entered', async () => {
      const page = await stack.openAs('demo-owner', '/console/grants');
      await untilLoaded(page);
      await page.getByRole('button', { name: 'New grant' }).click();
      const dialog = page.locator('dialog[open]');
      await dialog.locator('[name=name]').fill('Nightly report');
      await dialog.locator('input[value="record_store.get_usage"]').check();
      expect(await dialog.getByLabel('Subject').isVisible()).toBe(false);
      await dialog.getByLabel('Its calls have').selectOption('trust');
      await dialog.getByLabel('Issuer of these tokens').fill('https://other.example.com');
      await dialog.getByLabel('Subject').fill('repo:acme/reports:ref:refs/heads/main');
      await dialog.getByLabel('Further claims').fill('repository_id: 123456');
      const make = dialog.getByRole('button', { name: 'Make the grant' });
      await make.click();
      await dialog.locator('[data-field=issuer] .field-problem').waitFor();
      await dialog.getByLabel('Issuer of these tokens').fill(WORKLOADS);
      await make.click();
      const report = page.locator('.report:focus');
      await report.getByText('It has no secret').waitFor();
      expect(await report.innerText()).toContain(`${stack.demo.base_url}/oauth/token`);
      await page.getByText(`no secret: repo:acme/reports:ref:refs/heads/main of ${WORKLOADS}`).waitFor();
      const { grants } = await stack.owner.request('GET', '/api/v1/routine-grants');
      expect(grants[0].trust).toEqual({
        ...{ issuer: WORKLOADS, subject: 'repo:acme/reports:ref:refs/heads/main' },
        claims: { repository_id: '123456' },
      });
    });
  },
  environment,
);
