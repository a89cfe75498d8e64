import { nextStep, type RouteKind } from '@action-platform/contracts/errors';
import type { Request, Response } from 'express';
import { answerWithFile } from '../../http/answers/static-file.ts';
import type { AssetUrl } from './assets.ts';
import { html } from './html.ts';
import { protectPage, renderPage } from './page.ts';

/**
 * The page for an unknown address, for browsers, which accept HTML. API routes, and programs, which accept any media type, get the
 * error envelope.
 */
export function notFoundPage(assetUrl: AssetUrl) {
  const pageFor = (kind: RouteKind, heading: string, reason: string) =>
    renderPage(
      {
        title: 'Nothing here',
        body: html`<article>
<h1>${heading}</h1>
<p>${reason}</p>
<p>${nextStep('route_not_found', kind)}</p>
<p>Go on with the <a href="/docs">API reference</a>, the <a href="/docs/errors">error catalogue</a> or the <a href="/docs/guides">guides</a>.</p>
</article>`,
      },
      assetUrl,
    );
  const address = pageFor(
    'http',
    'There is nothing at this address',
    'It is misspelt, or what was here has moved. Addresses are case sensitive.',
  );
  const code = pageFor(
    'error_page',
    'There is no such error code',
    'It is misspelt, or comes from a newer version.',
  );
  return {
    /** Whether the client prefers an HTML page (RFC 9110, section 12.5.1). */
    handles: (request: Request): boolean =>
      !request.path.startsWith('/api/') && request.accepts(['application/json', 'text/html']) === 'text/html',

    answer: (request: Request, response: Response, kind: RouteKind): Promise<void> => {
      protectPage(response);
      response.status(404).vary('Accept');
      return answerWithFile(request, response, kind === 'error_page' ? code : address);
    },
  };
}
