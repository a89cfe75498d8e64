import type { Request, Response } from 'express';
import { answerWithFile } from '../../http/static-file.ts';
import type { AssetUrl } from './assets.ts';
import { html } from './html.ts';
import { protectPage, renderPage } from './page.ts';

/**
 * The page for people who follow a link to nowhere. It takes the place of the error envelope only where a browser asks
 * for a page: for the interface itself, and for programs, which name no media type or any, the envelope stays.
 */
export function notFoundPage(assetUrl: AssetUrl) {
  const page = renderPage(
    {
      title: 'Nothing here',
      body: html`<article>
<h1>There is nothing at this address</h1>
<p>It is misspelt, or what was here has moved. Addresses are case sensitive.</p>
<p>Go on with the <a href="/docs">API reference</a> or the <a href="/docs/errors">error catalogue</a>.</p>
</article>`,
    },
    assetUrl,
  );
  return {
    /** Whether somebody wants to read a page (RFC 9110, section 12.5.1). */
    isFor: (request: Request): boolean =>
      !request.path.startsWith('/api/') && request.accepts(['application/json', 'text/html']) === 'text/html',

    answer: (request: Request, response: Response): void => {
      protectPage(response);
      response.status(404).vary('Accept');
      answerWithFile(request, response, page);
    },
  };
}
