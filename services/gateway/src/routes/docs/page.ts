import type { Request, Response } from 'express';
import { answerWithFile, type StaticFile, staticFile } from '../../http/answers/static-file.ts';
import type { AssetUrl } from './assets.ts';
import { type Html, html } from './html.ts';

export interface PageParts {
  readonly title: string;
  /** The page's style sheets, by default that of the documentation. */
  readonly style?: Html;
  /** Further elements of the page's head. */
  readonly head?: Html;
  /** The page's links to other pages, by default those of the documentation. */
  readonly nav?: Html;
  readonly body: Html;
}

const documentation = html`<nav aria-label="Documentation">
<a href="/docs">API reference</a>
<a href="/docs/errors">Error catalogue</a>
<a href="/docs/guides">Guides</a>
<a href="/api/v1/openapi.json">OpenAPI</a>
</nav>`;

/** The template of all pages has no inline script, style or event handler, so a content security policy without `unsafe-inline` holds. */
export function renderPage(
  { title, style, head, nav = documentation, body }: PageParts,
  assetUrl: AssetUrl,
): StaticFile {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Action Platform</title>
<link rel="icon" href="${assetUrl('icon.svg')}" type="image/svg+xml">
<link rel="preload" href="${assetUrl('inter.woff2')}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${assetUrl('base.css')}">
${style ?? html`<link rel="stylesheet" href="${assetUrl('docs.css')}">`}
${head ?? []}
</head>
<body>
<header>
${nav}
</header>
<main>
${body}
</main>
</body>
</html>
`;
  return staticFile('text/html; charset=utf-8', page.text);
}

/** The content security policy of every page: the gateway's own style sheets, fonts and images. */
const policy = {
  'default-src': "'none'",
  'style-src': "'self'",
  'img-src': "'self'",
  'font-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

type Directives = Readonly<Record<string, string>>;

/** Answers with a page or its Markdown; `allowed` adds directives to the policy. */
export function answerWithPage(
  request: Request,
  response: Response,
  file: StaticFile,
  allowed?: Directives,
): Promise<void> {
  protectPage(response, allowed);
  return answerWithFile(request, response, file, 'public, no-cache');
}

/** Sets the security headers of a page; `allowed` adds directives to the policy. */
export function protectPage(response: Response, allowed: Directives = {}): void {
  const directives = Object.entries({ ...policy, ...allowed }).map(([name, sources]) => `${name} ${sources}`);
  response.set({
    'Content-Security-Policy': directives.join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
  });
}
