import type { Request, Response } from 'express';
import { answerWithFile } from '../../../http/static-file.ts';
import type { OpenApiDocument } from '../../openapi/document.ts';
import type { AssetUrl } from '../assets.ts';
import { html } from '../html.ts';
import { protectPage, renderPage } from '../page.ts';
import type { Documented } from './document.ts';
import { markdown } from './inline-markdown.ts';
import { anchorOf, operationSection } from './operation.ts';

/** What the page needs beyond a plain one: its script, and the gateway to talk to. */
const NEEDED = { 'script-src': "'self'", 'connect-src': "'self'" };

/** GET /docs: the OpenAPI document as a page for people, on which calls can be tried. Made once, at start. */
export function apiReference(openApi: OpenApiDocument, assetUrl: AssetUrl) {
  const document = openApi as unknown as Documented;
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const groups = document.tags.map((tag) => ({
    ...tag,
    members: all.filter(({ operation }) => operation.tags[0] === tag.name),
  }));
  const page = renderPage(
    {
      title: 'API reference',
      head: html`<link rel="stylesheet" href="${assetUrl('reference.css')}">
<script type="module" src="${assetUrl('reference.js')}"></script>`,
      body: html`<search class="list">
<label for="search">Find an operation</label>
<input id="search" type="search" autocomplete="off">
<nav aria-label="Operations">
<ul>
${all.map(
  ({ method, path, operation }) =>
    html`<li data-words="${`${operation.operationId} ${method} ${path} ${operation.summary}`.toLowerCase()}"><a href="#${anchorOf(operation)}">${operation.summary}</a></li>\n`,
)}</ul>
</nav>
</search>
<div class="reference">
<h1>API reference</h1>
${markdown(document.info.description)}
<form class="token">
<label for="token">Token, to try calls with</label>
<input id="token" type="password" autocomplete="off" spellcheck="false" aria-describedby="about-token">
<p id="about-token">A session token or the secret of a grant. It is kept for this tab, and goes to this gateway alone. The code samples take <code>TOKEN</code>, and this gateway's address as <code>BASE_URL</code>, from the environment.</p>
</form>
<noscript><p>To search here and to try calls, this page needs JavaScript.</p></noscript>
${groups.map(
  ({ name, description, members }) => html`<section>
<h2>${name.replaceAll('_', ' ')}</h2>
<p>${description ?? ''}</p>
${members.map((member) => operationSection(document, member))}</section>
`,
)}</div>`,
    },
    assetUrl,
  );
  return (request: Request, response: Response): void => {
    protectPage(response, NEEDED);
    response.set('Cache-Control', 'public, no-cache');
    answerWithFile(request, response, page);
  };
}
