import type { Request, Response } from 'express';
import type { OpenApiDocument } from '../../openapi/document.ts';
import type { AssetUrl } from '../assets.ts';
import { type Html, html } from '../html.ts';
import { markdown } from '../markdown.ts';
import { answerWithPage, renderPage } from '../page.ts';
import type { Addressed } from './document.ts';
import { anchorOf, methodLabel, operationSection } from './operation.ts';

/** The page's addition to the policy: its script. */
const NEEDED = { 'script-src': "'self'" };

/** Routes for browsers and orchestrators, which only the OpenAPI document lists. */
const LEFT_OUT = ['documentation', 'health'];

/** GET /docs: the OpenAPI document as a page. Rendered once, at start. @param hasConsole whether operations can be tried in the console */
export function apiReference(document: OpenApiDocument, assetUrl: AssetUrl, hasConsole: boolean) {
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
<p class="about">The code samples read <code>TOKEN</code>, a session token or the secret of a grant, and <code>BASE_URL</code>, this gateway's address, from the environment.</p>
<noscript><p>The search needs JavaScript; everything else works without.</p></noscript>
${groups.map(
  ({ title, description, members }) => html`<section>
<h2>${title}</h2>
<p class="about">${description}</p>
${members.map((member) => operationSection(document, member, hasConsole))}</section>
`,
)}</div>`,
    },
    assetUrl,
  );
  return (request: Request, response: Response) => answerWithPage(request, response, page, NEEDED);
}

function menuItem({ method, path, operation }: Addressed): Html {
  const { operationId, summary } = operation;
  const words = `${operationId} ${method} ${path} ${summary}`.toLowerCase();
  return html`<li data-words="${words}"><a href="#${anchorOf(operation)}">${methodLabel(method)} ${summary}</a></li>\n`;
}
