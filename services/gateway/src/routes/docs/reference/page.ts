import type { Request, Response } from 'express';
import { answerWithFile } from '../../../http/answers/static-file.ts';
import type { OpenApiDocument } from '../../openapi/document.ts';
import type { AssetUrl } from '../assets.ts';
import { type Html, html } from '../html.ts';
import { markdown } from '../markdown.ts';
import { protectPage, renderPage } from '../page.ts';
import type { Addressed } from './document.ts';
import { anchorOf, methodLabel, operationSection } from './operation.ts';

/** The page's additions to the policy: its script, and calls to the gateway. */
const NEEDED = { 'script-src': "'self'", 'connect-src': "'self'" };

/** Routes for browsers and orchestrators, which only the OpenAPI document lists. */
const LEFT_OUT = ['documentation', 'health'];

/** GET /docs: the OpenAPI document as a page with forms to try calls. Rendered once, at start. */
export function apiReference(document: OpenApiDocument, assetUrl: AssetUrl) {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const groups = document.tags
    .filter(({ name }) => !LEFT_OUT.includes(name))
    .map(({ name, description = '' }) => ({
      title: name.replaceAll('_', ' '),
      description,
      members: all.filter(({ operation }) => operation.tags[0] === name),
    }));
  const page = renderPage(
    {
      title: 'API reference',
      head: html`<link rel="stylesheet" href="${assetUrl('reference.css')}">
<script type="module" src="${assetUrl('reference.js')}"></script>`,
      body: html`<search class="menu">
<label for="search">Find an operation</label>
<input id="search" type="search" autocomplete="off">
<nav aria-label="Operations">
${groups.map(
  ({ title, members }) => html`<section>
<h2>${title}</h2>
<ul>
${members.map(menuItem)}</ul>
</section>
`,
)}</nav>
</search>
<div class="reference">
<h1>API reference</h1>
${markdown(document.info.description)}
<label for="token">Token, to try calls with</label>
<input id="token" type="password" autocomplete="off" spellcheck="false" aria-describedby="about-token">
<p id="about-token" class="about">A session token or the secret of a grant. This tab keeps it and sends it to this gateway alone. The code samples read <code>TOKEN</code> and <code>BASE_URL</code>, this gateway's address, from the environment.</p>
<noscript><p>Search and <em>Try it</em> need JavaScript; everything else works without.</p></noscript>
${groups.map(
  ({ title, description, members }) => html`<section>
<h2>${title}</h2>
<p class="about">${description}</p>
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

function menuItem({ method, path, operation }: Addressed): Html {
  const { operationId, summary } = operation;
  const words = `${operationId} ${method} ${path} ${summary}`.toLowerCase();
  return html`<li data-words="${words}"><a href="#${anchorOf(operation)}">${methodLabel(method)} ${summary}</a></li>\n`;
}
