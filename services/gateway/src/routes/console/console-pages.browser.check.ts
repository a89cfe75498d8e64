import { connectApp, disconnectApp } from '@action-platform/contracts/calls';
import { pushRecord } from '@action-platform/contracts/operations';
import { grantRoutes } from '@action-platform/contracts/resources';
import { freePort } from '@action-platform/local-servers';
import { describeInBrowser, TestBrowser } from '@action-platform/testing/browser';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { GatewayHarness, type TestWorkspace } from '../../test/harness.ts';
import { OpenIdProvider } from '../../test/openid-provider.ts';

describeInBrowser('the console in a browser', () => {
  const harness = new GatewayHarness();
  const provider = new OpenIdProvider();
  const browser = new TestBrowser();
  let workspace: TestWorkspace;

  beforeAll(async () => {
    const port = await freePort();
    await provider.start(`http://127.0.0.1:${port}/console`);
    await Promise.all([harness.platform.spawn('grants'), harness.platform.spawn('record-store')]);
    await harness.issuer.start();
    const { issuer, audience, jwksUrl } = harness.issuer;
    await harness.startAnother({
      ...provider.environment,
      SESSION_ISSUERS: JSON.stringify([{ issuer, audience, jwks_url: jwksUrl }]),
      PORT: String(port),
    });
    workspace = await harness.newWorkspace();
    provider.workspaceId = workspace.id;
    await browser.start(harness);
  });
  afterAll(async () => {
    await browser.stop();
    provider.stop();
    await harness.stop();
  });
  afterEach(() => browser.closePages());

  /** Opens a page of the console and signs in. */
  const openAs = async (user: string, path: string, options: Parameters<TestBrowser['open']>[1] = {}) => {
    const page = await browser.open(path, options);
    await page.getByRole('link', { name: user }).click();
    return page;
  };
  /** Goes to the provider again, as a page asks for. */
  const signInAgain = (page: Page) => page.getByRole('button', { name: 'Sign in again' }).click();
  /** The provider asks again, because its user signed in too long ago. */
  const chooseAgain = async (page: Page) => {
    provider.signedInAgo = 0;
    await page.getByRole('link', { name: 'olga' }).click();
  };
  /** Makes a call that the rule of an earlier test holds; returns the id of its approval. */
  const hold = async (payload: string, token = workspace.owner.token) => {
    const body = `{"collection_id":"col_1","payload":${payload}}`;
    const { status, headers } = await harness.execute(token, pushRecord, body);
    expect(status).toBe(403);
    return headers['x-operation-approval-id'] as string;
  };

  test('a Member signs in at the provider and comes back', async () => {
    const page = await openAs('mika', '/console/approvals');
    await page.getByText('No call waits.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/approvals');
    expect(await page.getByRole('heading', { name: 'Rules' }).count()).toBe(0);
    browser.expectNothingForeign(provider.url);
  });

  test('the Playground opens for a Member without a mailbox', async () => {
    const mailbox = { workspace: workspace.id, user: 'mika', app: 'mail_suite' } as const;
    await harness.platform.callAs('admin', disconnectApp, mailbox);
    const page = await openAs('mika', '/console/playground');
    await page.getByLabel('Call with the secret of a grant').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await harness.platform.callAs('admin', connectApp, mailbox);
  });

  test('a token that ends is replaced', async () => {
    provider.tokenSeconds = 20;
    const page = await browser.open('/console/approvals');
    const asked: (string | null)[] = [];
    page.on('request', (request) => {
      if (request.url() !== `${provider.url}/token` || request.method() !== 'POST') return;
      asked.push(new URLSearchParams(request.postData()!).get('grant_type'));
    });
    await page.getByRole('link', { name: 'mika' }).click();
    await page.getByText('No call waits.').waitFor();
    provider.tokenSeconds = 3600;
    expect(asked.slice(0, 2)).toEqual(['authorization_code', 'refresh_token']);
    browser.expectNothingForeign(provider.url);
  });

  /** The refresh tokens that a page sends; `answer` may change the answer to the first. */
  const refreshTokensOf = async (page: Page, answer: (route: Route) => Promise<void>) => {
    const sent: (string | null)[] = [];
    await page.route(`${provider.url}/token`, async (route) => {
      const token = new URLSearchParams(route.request().postData() ?? '').get('refresh_token');
      if (token !== null) sent.push(token);
      await (token !== null && sent.length === 1 ? answer(route) : route.continue());
    });
    return sent;
  };

  test('parallel calls share one refresh: a provider that rotates refresh tokens refuses a second use', async () => {
    provider.tokenSeconds = 20;
    const page = await browser.open('/console/grants');
    const sent = await refreshTokensOf(page, (route) => route.continue());
    await page.getByRole('link', { name: 'mika' }).click();
    await page.getByText('There is no routine grant yet').waitFor();
    await page.waitForTimeout(1000);
    provider.tokenSeconds = 3600;
    expect(sent.length).toBeGreaterThan(1);
    expect(new Set(sent).size).toBe(sent.length);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('the refresh token of an answer without an ID token takes the place of the former one', async () => {
    provider.tokenSeconds = 20;
    const page = await browser.open('/console/approvals');
    await page.clock.install();
    const sent = await refreshTokensOf(page, async (route) => {
      const response = await route.fetch();
      const { id_token: _idToken, ...others } = (await response.json()) as Record<string, unknown>;
      await route.fulfill({ response, json: others });
    });
    await page.getByRole('link', { name: 'mika' }).click();
    await page.getByText('No call waits.').waitFor();
    provider.tokenSeconds = 3600;
    // The answer had no ID token: the next one is asked for half a minute later.
    await page.clock.fastForward(31_000);
    await page.getByRole('link', { name: 'Procedures' }).click();
    await page.getByRole('heading', { level: 1, name: 'Procedures' }).waitFor();
    await page.waitForTimeout(500);
    expect(sent).toHaveLength(2);
    expect(sent[1]).not.toBe(sent[0]);
  });

  test('after a refused refresh the page offers a sign-in', async () => {
    provider.tokenSeconds = 3;
    const page = await browser.open('/console/approvals');
    await refreshTokensOf(page, (route) => route.fulfill({ status: 400, json: { error: 'invalid_grant' } }));
    await page.getByRole('link', { name: 'mika' }).click();
    await page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor();
    await page.waitForTimeout(4000);
    provider.tokenSeconds = 3600;
    await page.getByRole('link', { name: 'Grants' }).click();
    await page.getByRole('button', { name: 'Sign in' }).first().click();
    await page.getByText('There is no routine grant yet').waitFor();
  });

  test('a sign-out ends the session at the provider, without the token in an address', async () => {
    const page = await openAs('mika', '/console/approvals');
    await page.getByText('No call waits.').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL((url) => url.href.startsWith(`${provider.url}/session/end`));
    expect(page.url()).not.toContain('eyJ');
  });

  test('a cancelled sign-in says so, and can be repeated', async () => {
    const page = await openAs('cancel', '/console/approvals');
    expect(await page.getByRole('alert').textContent()).toContain('The sign-in was cancelled.');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'mika' }).click();
    await page.getByText('No call waits.').waitFor();
    browser.expectNothingForeign(provider.url);
  });

  test.each(['state', 'nonce'])('an answer with another %s is refused', async (name) => {
    const page = await browser.open('/docs');
    await page.route(`${provider.url}/auth?*`, async (route) => {
      const url = new URL(route.request().url());
      if (url.searchParams.get(name) === 'other') return await route.continue();
      url.searchParams.set(name, 'other');
      await route.fulfill({ status: 302, headers: { location: url.href } });
    });
    const calls: string[] = [];
    page.on('request', (request) => calls.push(new URL(request.url()).pathname));
    await page.goto(`${harness.url}/console/approvals`);
    await page.getByRole('link', { name: 'olga' }).click();
    expect(await page.getByRole('alert').textContent()).toContain(name);
    expect(calls.filter((path) => path.startsWith('/api/'))).toEqual([]);
    browser.expectNothingForeign(provider.url);
  });

  test('an answer that nobody asked for here is refused', async () => {
    const page = await browser.open('/console?code=stolen&state=s');
    expect(await page.getByRole('alert').textContent()).toContain('did not begin in this tab');
    browser.expectNothingForeign(provider.url);
  });

  test('an Owner holds the calls of everybody, after a fresh sign-in that the page asks for first', async () => {
    provider.signedInAgo = 400;
    const page = await openAs('olga', '/console/approvals');
    const dialog = page.locator('dialog[open]');
    await page.getByRole('button', { name: 'Add a rule' }).click();
    expect(await dialog.getByRole('button', { name: 'Add the rule' }).isDisabled()).toBe(true);
    expect(await dialog.getByLabel('record_store.get_record').count()).toBe(0);
    await dialog.getByRole('group', { name: 'Operations' }).first().getByLabel('Only these').check();
    await dialog.locator(`input[value="${pushRecord.id}"]`).check();
    await signInAgain(page);
    await chooseAgain(page);
    // The dialog is open again, with what was entered before.
    await dialog.getByRole('button', { name: 'Add the rule' }).click();
    await page.getByText('Revision 1.').waitFor();
    expect(await page.getByRole('row', { name: 'everyone' }).innerText()).toContain(pushRecord.id);
    browser.expectNothingForeign(provider.url);
  });

  test('a dialog that was cancelled after a fresh sign-in stays closed', async () => {
    provider.signedInAgo = 400;
    const page = await openAs('olga', '/console/approvals');
    const change = page.getByRole('button', { name: 'Change rule 1' });
    await change.click();
    await signInAgain(page);
    await chooseAgain(page);
    await page.locator('dialog[open]').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Grants', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Grants' }).waitFor();
    await page.goBack();
    await change.waitFor();
    expect(await page.locator('dialog[open]').count()).toBe(0);
  });

  test('an Owner sees who asks, and decides, after a fresh sign-in that returns to the call', async () => {
    const expiresAt = new Date(Date.now() + 600_000).toISOString();
    const { body } = await harness.http
      .post(grantRoutes.operation.create.path)
      .auth(workspace.member.token, { type: 'bearer' })
      .send({ operationScope: pushRecord.id, expiresAt });
    const id = await hold('{"a":1}', body.secret);
    provider.signedInAgo = 400;
    const page = await openAs('olga', '/console/approvals');
    // The link has the title of the operation once the page knows that.
    await page.getByRole('row', { name: pushRecord.id }).getByRole('link').first().click();
    const facts = page.locator('dl').first();
    expect(await page.locator('.head [role=status]').textContent()).toBe('waits for you');
    for (const fact of [pushRecord.id, 'mika', 'operation grant'])
      expect(await facts.textContent()).toContain(fact);
    expect(await page.getByRole('button', { name: 'Approve this call' }).isDisabled()).toBe(true);
    await page.getByLabel('Reason').fill('As ');
    await signInAgain(page);
    await chooseAgain(page);
    await page.locator('button:enabled', { hasText: 'Approve this call' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/approvals/${id}`);

    expect(await page.getByLabel('Reason').inputValue()).toBe('As ');
    await page.getByLabel('Reason').press('Control+A');
    await page.keyboard.type('As agreed');
    await page.keyboard.press('Enter');
    expect(await page.getByLabel('Reason').inputValue()).toBe('As agreed\n');
    await page.keyboard.press('Backspace');
    await page.getByRole('button', { name: 'Approve this call' }).click();
    await page.locator('.head').getByText('approved').waitFor();
    for (const fact of ['As agreed', 'by olga']) expect(await facts.textContent()).toContain(fact);
    expect(await page.getByRole('button', { name: /Approve|Reject/ }).count()).toBe(0);
    browser.expectNothingForeign(provider.url);
  });

  test('a rejected call is shown with its reason; a call that nobody may see is not there', async () => {
    const id = await hold('{"b":1}');
    const page = await openAs('olga', `/console/approvals/${id}`);
    await signInAgain(page);
    await page.getByLabel('Reason').fill('Too early');
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('Too early').waitFor();
    const { body } = await harness.execute(
      workspace.owner.token,
      pushRecord,
      '{"collection_id":"col_1","payload":{"b":1}}',
    );
    expect(body.error.message).toContain('Too early');
    await browser.closePages();

    const other = await openAs('mika', `/console/approvals/${id}`);
    expect(await other.getByRole('alert').textContent()).toMatch(/approval/);
    browser.expectNothingForeign(provider.url);
  });

  test('a Member sees their own call that waits, and no decision to make', async () => {
    const id = await hold('{"c":1}', workspace.member.token);
    const page = await openAs('mika', `/console/approvals/${id}`);
    await page.locator('.head').getByText('waits', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /Approve|Reject|Sign in again/ }).count()).toBe(0);
  });

  const nested = (depth: number, inner: string) => '['.repeat(depth) + inner + ']'.repeat(depth);
  test.each([
    [
      'numbers, markup and hidden characters',
      `{"n":12345678901234567890,"f":1.0,"<script>alert(1)</script>":"<img src=x onerror=alert(1)>\\u202eevil\\u2066\\u200b\\u0000\\nline","he":"\\u05d0 1, 2","__proto__":{"x":[]},"\\ud83d\\ude00":null}`,
    ],
    ['64 levels', `{"deep":${nested(61, '1')}}`],
    ['512 KiB of text', `{"text":"${'abc <b> \\u202e '.repeat(34_000)}"}`],
    [
      '512 KiB of numbers',
      `{"list":${nested(60, Array.from({ length: 80_000 }, (_, index) => index).join(','))}}`,
    ],
  ])('a call is shown whole and as stored: %s', async (_what, payload) => {
    const id = await hold(payload);
    const page = await openAs('olga', `/console/approvals/${id}`);
    const shown = (await page.locator('.two .body > :first-child').first().textContent())!;
    expect(shown).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\0]/);
    // Every line break and tab is layout.
    expect(exact(shown.replaceAll(/[\n\t]/g, ''))).toEqual(
      exact(`{"collection_id":"col_1","payload":${payload}}`),
    );
    const hidden = await page.evaluate<number>(
      `Math.max(...[...document.querySelectorAll('pre, .json')].map((pre) => pre.scrollHeight - pre.clientHeight))`,
    );
    expect(hidden).toBe(0);
    browser.expectNothingForeign(provider.url);
  });
});

/** A JSON value with the text of its numbers. */
function exact(json: string): unknown {
  return JSON.parse(json, (_name, value: unknown, { source }: { source?: string } = {}) =>
    typeof value === 'number' ? { number: source } : value,
  );
}
