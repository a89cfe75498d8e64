import type { Request, Response } from 'express';
import { answerWithFile } from '../../http/static-file.ts';
import type { AssetUrl } from './assets.ts';
import { html } from './html.ts';
import { protectPage, renderPage } from './page.ts';

/** What Swagger UI needs beyond a plain page: its scripts, the gateway to talk to, and icons within its style sheet. */
const NEEDED = { 'script-src': "'self'", 'connect-src': "'self'", 'img-src': "'self' data:" };

/** GET /docs: the API reference, on which calls can be tried. */
export function apiReference(assetUrl: AssetUrl) {
  const page = renderPage(
    {
      title: 'API reference',
      head: html`<link rel="stylesheet" href="${assetUrl('swagger-ui.css')}">
<link rel="stylesheet" href="${assetUrl('reference.css')}">
<script defer src="${assetUrl('swagger-ui-bundle.js')}"></script>
<script defer src="${assetUrl('reference.js')}"></script>`,
      body: html`<search class="operations">
<label for="search">Find an operation</label>
<input id="search" type="search" autocomplete="off">
<ul id="operations"></ul>
</search>
<div id="reference"></div>
<noscript><p>This page needs JavaScript. What it shows is in <a href="/api/v1/openapi.json">the OpenAPI document</a>.</p></noscript>`,
    },
    assetUrl,
  );
  return (request: Request, response: Response): void => {
    protectPage(response, NEEDED);
    response.set('Cache-Control', 'public, no-cache');
    answerWithFile(request, response, page);
  };
}
