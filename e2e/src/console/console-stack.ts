import type { Demo } from '@action-platform/local';
import {
  type BrowserContextOptions,
  describeInBrowser,
  type Page,
  TestBrowser,
} from '@action-platform/testing/browser';
import { Caller } from '@action-platform/testing/http';
import { afterAll, afterEach, beforeAll, jest } from '@jest/globals';
import { LocalPlatform } from '../local-platform.ts';

/** A platform as `npm start` runs it, and a browser that signs in at its console. */
export class ConsoleStack {
  readonly platform: LocalPlatform;
  readonly browser = new TestBrowser();
  /** The statuses of refusals, and the hosts of the sign-in provider, since the last sign-in. */
  readonly refusals: string[] = [];
  #issuer = '';

  constructor(environment: Readonly<Record<string, string>> = {}) {
    // Tests need not wait a minute for the entry that equal calls share.
    this.platform = new LocalPlatform('', { AUDIT_WINDOW_MS: '3000', ...environment });
  }

  get demo(): Demo {
    return this.platform.demo;
  }

  async start(): Promise<void> {
    const { base_url } = await this.platform.start();
    await this.browser.start({ url: base_url });
  }

  async stop(): Promise<void> {
    await this.browser.stop();
    await this.platform.remove();
  }

  /** Opens a page and signs in by a click; resolves when the page has its heading. */
  async openAs(
    user: 'demo-owner' | 'demo-member' | (string & {}),
    path: string,
    options: BrowserContextOptions = {},
  ) {
    const page = await this.browser.open(path, { viewport: { width: 1280, height: 900 }, ...options });
    await page.getByRole('button', { name: user }).waitFor();
    this.#issuer = new URL(page.url()).origin;
    this.refusals.length = 0;
    page.on('response', (response) => {
      if (response.status() === 403) this.refusals.push(response.url());
    });
    await page.getByRole('button', { name: user }).click();
    await page.locator('h1').waitFor();
    return page;
  }

  /** Expects that the browser asked the gateway and the sign-in provider alone. */
  expectNothingForeign(): void {
    this.browser.expectNothingForeign(this.#issuer);
  }

  /** The Owner at the API. */
  get owner(): Caller {
    return new Caller(this.demo.base_url, this.demo.owner.token);
  }
}

/** Tests at the console of a stack of their own, with these variables beside those of `npm start`. */
export function describeConsole(
  name: string,
  tests: (stack: ConsoleStack) => void,
  environment?: Readonly<Record<string, string>>,
): void {
  jest.setTimeout(600_000);
  describeInBrowser(name, () => {
    const stack = new ConsoleStack(environment);
    beforeAll(() => stack.start());
    afterAll(() => stack.stop());
    afterEach(() => stack.browser.closePages());
    tests(stack);
  });
}

/** Opens a dialog by its button, fills in its fields by their labels, and sends it. */
export async function sendDialog(
  page: Page,
  open: string,
  send: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<void> {
  await page.getByRole('button', { name: open, exact: true }).click();
  const dialog = page.locator('dialog[open]');
  for (const [label, text] of Object.entries(fields)) await dialog.getByLabel(label).fill(text);
  await dialog.getByRole('button', { name: send, exact: true }).click();
}

/** Goes to another page of the console in the same document, and waits until it has loaded. */
export async function visit(page: Page, path: string): Promise<void> {
  // The console asks before it leaves a secret that nobody has copied.
  const copy = `for (const secret of document.querySelectorAll('.secret')) secret.classList.add('copied')`;
  const go = `import('/console/assets/elements/page.js').then(({ go }) => go(${JSON.stringify(path)}))`;
  await page.evaluate(`document.querySelector('main > *').setAttribute('data-former', ''); ${copy}; ${go}`);
  await page.locator('main:not(:has([data-former]))').waitFor();
  await untilLoaded(page);
}

/** Waits until a page shows what it loads. */
export async function untilLoaded(page: Page): Promise<void> {
  await page.locator('main', { has: page.locator('h1'), hasNotText: 'Loading …' }).waitFor();
}

/** The definition of a custom operation that a test changes in the console. */
export const editedOperation = {
  title: 'Before',
  description: 'Before.',
  effect: 'read',
  availability: 'owner_workspace',
  inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  url: 'https://orders.example.com/edited',
};
