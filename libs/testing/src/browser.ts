import { existsSync } from 'node:fs';
import { describe, expect } from '@jest/globals';
import axe from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';

/** For tests that have no dependency on playwright-core. */
export type { BrowserContextOptions, Page, Route } from 'playwright-core';

const given = process.env.CHROMIUM_PATH || undefined;
if (given !== undefined && !existsSync(given))
  throw new Error(`There is no ${given}, which CHROMIUM_PATH names.`);
const executablePath = [given, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path !== undefined && existsSync(path),
);
const MISSING = 'no Chromium at CHROMIUM_PATH or /usr/bin/chromium; npm run e2e -- browser gets one';

const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** Tests in a browser. Without one, Jest skips them and prints the reason. */
export function describeInBrowser(name: string, tests: () => void): void {
  if (executablePath === undefined) {
    process.stderr.write(`Skipping the pages in a browser: ${MISSING}\n`);
    describe.skip(`${name} (skipped: ${MISSING})`, tests);
  } else describe(name, tests);
}

/** A browser that opens pages of a gateway and records forbidden requests. */
export class TestBrowser {
  #browser: Browser | undefined;
  #context: BrowserContext | undefined;
  #url = '';
  /** The hosts of requests, and the violations of the content security policy, since the last page was opened. */
  readonly #hosts = new Set<string>();
  readonly #violations: string[] = [];

  async start({ url }: { readonly url: string }): Promise<void> {
    this.#url = url;
    this.#browser = await chromium.launch({ executablePath: executablePath!, args: FLAGS });
  }

  async stop(): Promise<void> {
    await this.#browser?.close();
  }

  /** Opens a page of the gateway in a fresh browser context. */
  async open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    this.#hosts.clear();
    this.#violations.length = 0;
    this.#context = await this.#browser!.newContext(options);
    this.#context.on('request', (request) => this.#hosts.add(new URL(request.url()).host));
    this.#context.on('console', (message) => {
      if (message.text().startsWith('violation')) this.#violations.push(message.text());
    });
    await this.#context.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
      console.log('violation', event.violatedDirective, event.blockedURI, event.sourceFile))`);
    const page = await this.#context.newPage();
    await page.goto(this.#url + path);
    return page;
  }

  async closePages(): Promise<void> {
    await this.#context?.close();
  }

  /** Expects no request to other hosts than these, and no violation of the content security policy. */
  expectNothingForeign(...others: string[]): void {
    const known = [this.#url, ...others].map((url) => new URL(url).host);
    expect([...this.#hosts].filter((host) => !known.includes(host))).toEqual([]);
    expect(this.#violations).toEqual([]);
  }

  /** The findings of axe. axe runs beside the page's scripts, so that the policy stays in force. */
  async problemsOf(page: Page): Promise<string[]> {
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate<axe.AxeResults>('axe.run()');
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  }
}
