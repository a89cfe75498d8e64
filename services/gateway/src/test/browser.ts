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
import type { GatewayHarness } from './harness.ts';

const executablePath = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path !== undefined && existsSync(path),
);
const MISSING = 'no Chromium at CHROMIUM_PATH or /usr/bin/chromium; npm run e2e -- browser gets one';

const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** Tests that need a browser; where there is none they are skipped, and say so. */
export function describeInBrowser(name: string, tests: () => void): void {
  if (executablePath === undefined) {
    process.stderr.write(`Skipping the pages in a browser: ${MISSING}\n`);
    describe.skip(`${name} (skipped: ${MISSING})`, tests);
  } else describe(name, tests);
}

/** A browser that looks at the pages of a gateway, and notes what they should not do. */
export class TestBrowser {
  #browser: Browser | undefined;
  #context: BrowserContext | undefined;
  #url = '';
  /** Where requests went, and what the content security policy stopped, since the last page was opened. */
  readonly #hosts = new Set<string>();
  readonly #violations: string[] = [];

  async start({ url }: GatewayHarness): Promise<void> {
    this.#url = url;
    this.#browser = await chromium.launch({ executablePath: executablePath!, args: FLAGS });
  }

  async stop(): Promise<void> {
    await this.#browser?.close();
  }

  /** Opens a page of the gateway as somebody sees it who was never here. */
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

  /** Nothing was asked of another host, and nothing was tried that the content security policy forbids. */
  expectNothingForeign(): void {
    expect([...this.#hosts]).toEqual([new URL(this.#url).host]);
    expect(this.#violations).toEqual([]);
  }

  /** What axe finds; it runs beside the page's own scripts, so that the policy stays as it is served. */
  async problemsOf(page: Page): Promise<string[]> {
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate<axe.AxeResults>('axe.run()');
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  }
}
