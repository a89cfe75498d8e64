import { readdirSync } from 'node:fs';
import { ActionError, type ErrorCode, errorCatalogue, nextStep } from '@action-platform/contracts/errors';
import { errorsOf, operations } from '@action-platform/contracts/operations';
import { operationDocsUrl } from '@action-platform/contracts/routes';
import { describe, expect, test } from '@jest/globals';
import { expectError, runningGateway } from '../../test/harness.ts';

const { harness } = runningGateway();
const codes = Object.keys(errorCatalogue) as ErrorCode[];

/** The content of an operation in the reference, before any call. */
interface DocumentedSamples {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly responses: Readonly<Record<string, { content?: Record<string, { example?: unknown }> }>>;
  readonly 'x-codeSamples': readonly { readonly source: string }[];
}

const PLAIN_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A page in Markdown, which is the same by its address and by what its client accepts. */
async function markdown(path: string): Promise<string> {
  const negotiated = await harness.http.get(path).set('Accept', 'text/markdown');
  const suffixed = await harness.http.get(`${path}.md`);
  for (const { headers } of [negotiated, suffixed])
    expect(headers['content-type']).toBe('text/markdown; charset=utf-8');
  expect(negotiated.headers.vary).toContain('Accept');
  expect(suffixed.text).toBe(negotiated.text);
  return negotiated.text;
}

describe('the page of an error code', () => {
  test.each(codes)('explains %s in HTML and in Markdown', async (code) => {
    const path = `/docs/errors/${code}`;
    const page = await harness.http.get(path);
    const { status, message, why, next } = errorCatalogue[code];
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const shown = textOf(page.text);
    for (const said of [code, String(status), message, why, next]) expect(shown).toContain(said);
    const [, example] = /<pre[^>]*>(.*)<\/pre>/s.exec(page.text)!;
    expect(JSON.parse(textOf(example!))).toEqual(
      new ActionError(code).toEnvelope('req_4bf92f3577b34da6a3ce929d0e0e4736'),
    );
    const text = (await markdown(path)).replaceAll(/\\([\\`*<[])/g, '$1');
    for (const said of [`# ${code}\n`, message, why, next]) expect(text).toContain(said);
  });

  test('lists the operations that can answer with it', async () => {
    for (const code of ['record_store_stale_version', 'connected_app_required', 'invalid_json'] as const) {
      const { text } = await harness.http.get(`/docs/errors/${code}.md`);
      const listed = [...operations.values()].filter(({ id }) =>
        text.includes(`\n- [\`${id}\`](${operationDocsUrl(id)})\n`),
      );
      const answering = [...operations.values()].filter((operation) => errorsOf(operation).includes(code));
      const isEvery = answering.length === operations.size;
      expect(listed).toEqual(isEvery ? [] : answering);
      expect(text.includes('\n- Every operation.\n')).toBe(isEvery);
    }
  });

  test.each([
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'text/html'],
    ['*/*', 'text/html'],
    ['application/json', 'text/html'],
    ['text/markdown, text/html;q=0.9', 'text/markdown'],
    ['text/markdown;q=0.1, text/html', 'text/html'],
  ])('for Accept: %s is %s', async (accept, type) => {
    expect((await harness.http.get('/docs/errors/invalid_json').set('Accept', accept)).type).toBe(type);
  });
});

test('the index of error codes links to every code, by status, and is a table in Markdown', async () => {
  const { text } = await harness.http.get('/docs/errors');
  const linked = [...text.matchAll(/href="\/docs\/errors\/(\w+)"/g)].map(([, code]) => code as ErrorCode);
  expect(linked.toSorted()).toEqual(codes.toSorted());
  const statuses = linked.map((code) => errorCatalogue[code].status);
  expect(statuses).toEqual(statuses.toSorted((a, b) => a - b));
  const rows = (await markdown('/docs/errors')).matchAll(
    /^\| \[`(\w+)`\]\(\S+\) \| (\d+) .* \| (yes|no) \| .* \|$/gm,
  );
  const catalogue = Object.entries(errorCatalogue).map(([code, { status, recoverable }]) =>
    [code, status, recoverable ? 'yes' : 'no'].join(),
  );
  expect([...rows].map(([, ...row]) => row.join()).toSorted()).toEqual(catalogue.toSorted());
});

describe('the API reference', () => {
  test('shows every operation that clients call, with samples and an answer, and leaves the others out', async () => {
    const { paths } = (await harness.http.get('/api/v1/openapi.json')).body as {
      paths: Record<string, Record<string, DocumentedSamples>>;
    };
    const { text } = await harness.http.get('/docs');
    const shown = textOf(text);
    for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
      if (['documentation', 'health'].includes(operation.tags[0])) {
        expect(text).not.toContain(operation.operationId);
        continue;
      }
      expect(shown).toContain(operation.summary);
      for (const { source } of operation['x-codeSamples']) expect(shown).toContain(source);
      for (const { content = {} } of Object.values(operation.responses)) {
        const { example } = content['application/json'] ?? {};
        if (example !== undefined) expect(shown).toContain(JSON.stringify(example, null, 2));
      }
    }
  });

  test('has every operation at the target of its links', async () => {
    const { text } = await harness.http.get('/docs');
    for (const id of operations.keys()) {
      const [page, anchor] = operationDocsUrl(id).split('#');
      expect(page).toBe('/docs');
      expect(text).toContain(` id="${anchor}"`);
    }
  });
});

describe('the guides', () => {
  test('are pages and Markdown, and the index leads to each', async () => {
    const { text } = await harness.http.get('/docs/guides');
    const files = readdirSync(new URL('../../../../../docs', import.meta.url)).filter(
      (name) => name.endsWith('.md') && !['README.md', 'errors.md'].includes(name),
    );
    expect(files.length).toBeGreaterThan(15);
    for (const file of files) {
      const address = `/docs/guides/${file.replace('.md', '')}`;
      expect(text).toContain(`href="${address}"`);
      expect((await harness.http.get(address)).type).toBe('text/html');
      await markdown(address);
    }
  });

  test('are listed for language models at /llms.txt, each as Markdown, by the rules of llmstxt.org', async () => {
    const { type, text } = await harness.http.get('/llms.txt');
    expect(type).toBe('text/plain');
    expect(text).toMatch(/^# .+\n\n> .+\n/);
    for (const [group] of text
      .split('\n## ')
      .slice(1)
      .map((section) => section.split('\n\n- ')))
      expect(group).toMatch(/^[\w ]+$/);
    const { text: index } = await harness.http.get('/docs/guides');
    const pages = new Set(
      [...index.matchAll(/href="(\/docs\/(?:guides\/|errors)[\w-]*)"/g)].map(([, at]) => `${at}.md`),
    );
    const listed = [...text.matchAll(/\]\((\/[^)]*)\)/g)].map(([, address]) => address!);
    expect(new Set(listed)).toEqual(pages);
    for (const address of listed) expect((await harness.http.get(address)).type).toBe('text/markdown');
  });

  test('are named, with /mcp, by the OpenAPI document and the API reference', async () => {
    const { info } = (await harness.http.get('/api/v1/openapi.json')).body as {
      info: { description: string };
    };
    for (const text of [info.description, (await harness.http.get('/docs')).text])
      for (const said of ['POST /mcp', '/docs/guides']) expect(text).toContain(said);
  });
});

test('no link of a page is broken, and no page has an inline style or script or loads from elsewhere', async () => {
  const anchors = new Map<string, string[]>();
  const links = new Set<string>();
  const waiting = ['/docs'];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (anchors.has(path)) continue;
    const { status, type, text = '', headers } = await harness.http.get(path);
    expect([path, status]).toEqual([path, 200]);
    const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!);
    anchors.set(path, ids);
    if (type !== 'text/html') continue;
    const policy = headers['content-security-policy'];
    if (path.startsWith('/docs/')) expect([path, policy]).toEqual([path, PLAIN_POLICY]);
    else expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(text).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/i);
    for (const [, url] of text.matchAll(/<(?:link|script)[^>]*\s(?:href|src)="([^"]*)"/g))
      expect(url).toMatch(/^\/[^/]/);
    expect([path, ids.length]).toEqual([path, new Set(ids).size]);
    for (const [, href] of text.matchAll(/ (?:href|src)="([^"]*)"/g)) {
      const { origin, pathname, search, hash } = new URL(href!, `http://gateway${path}`);
      if (origin !== 'http://gateway') continue;
      links.add(`${pathname}${search}${hash}`);
      waiting.push(pathname + search);
    }
  }
  expect(links.size).toBeGreaterThan(200);
  const broken = [...links].filter((link) => {
    const [path, anchor] = link.split('#');
    return anchor !== undefined && !anchors.get(path!)!.includes(anchor);
  });
  expect(broken).toEqual([]);
});

test.each([
  '/docs',
  '/docs/errors',
  '/docs/guides/mcp',
  '/llms.txt',
  '/docs/assets/docs.css',
  '/api/v1/openapi.json',
])('%s is sent again only after a change', async (path) => {
  const first = await harness.http.get(path);
  const again = await harness.http.get(path).set('If-None-Match', first.headers.etag!);
  expect([again.status, again.text]).toEqual([304, '']);
  const other = { Accept: 'text/markdown', 'If-None-Match': '"other"' };
  expect((await harness.http.get(path).set(other)).status).toBe(200);
});

test('assets have their media types, and are immutable under the version in pages alone', async () => {
  const types = { css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml', woff2: 'font/woff2' };
  const { text } = await harness.http.get('/docs');
  for (const [, url] of text.matchAll(/(?:href|src)="(\/docs\/assets\/[^"]*)"/g)) {
    const pinned = await harness.http.get(url!);
    expect(pinned.type).toBe(types[/\.(\w+)\?/.exec(url!)![1] as keyof typeof types]);
    expect(pinned.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    const other = await harness.http.get(url!.replace(/v=.*/, 'v=other'));
    expect(other.headers['cache-control']).toBe('public, no-cache');
  }
});

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** The visible text of a page, with entities resolved. */
function textOf(page: string): string {
  return page
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&#(\d+);/g, (_entity, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/&([a-z]+);/g, (_entity, name: string) => ENTITIES[name]!);
}

describe('a visitor', () => {
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

  test('at / is redirected to the API reference', async () => {
    const { status, headers } = await harness.http.get('/');
    expect([status, headers.location]).toEqual([303, '/docs']);
  });

  test.each(['/nowhere', '/docs/errors/unheard_of', '/docs/assets/other.js'])(
    'with a browser at %s, an unknown address, gets a page with links',
    async (path) => {
      const { status, type, text, headers } = await harness.http.get(path).set('Accept', browser);
      expect([status, type, headers.vary]).toEqual([404, 'text/html', 'Accept, Accept-Encoding']);
      expect(headers['content-security-policy']).toBe(PLAIN_POLICY);
      expect(text).toContain('href="/docs"');
      const kind = path.startsWith('/docs/errors/') ? 'error_page' : 'http';
      expect(textOf(text)).toContain(nextStep('route_not_found', kind));
    },
  );

  test.each(['/docs/errors/unheard_of', '/docs/errors/unheard_of.md'])(
    'at %s, an unknown code, gets a page with a link to the catalogue',
    async (path) => {
      const { next } = expectError(await harness.http.get(path), 'route_not_found');
      expect(next).toBe('Use a code from the error catalogue at /docs/errors.');
      expect((await harness.http.get('/docs/errors')).status).toBe(200);
    },
  );

  test.each([
    ['/nowhere', '*/*'],
    ['/nowhere', 'application/json'],
    ['/docs/errors/unheard_of', 'application/json, text/html;q=0.9'],
    ['/api/v1/nowhere', browser],
  ])('at %s with Accept: %s gets the error envelope', async (path, accept) => {
    expectError(await harness.http.get(path).set('Accept', accept), 'route_not_found');
  });
});
