import {
  ActionError,
  type ErrorCode,
  type ErrorEntry,
  errorCatalogue,
  isErrorCode,
} from '@action-platform/contracts';
import type { Request } from 'express';
import type { ApiResponse } from '../../http/exchange.ts';

/** GET /docs/errors/{code}: what happened, why, and what to do next, for people. */
export function errorPage() {
  const pages = new Map(
    Object.entries(errorCatalogue).map(([code, entry]) => [code as ErrorCode, renderPage(code, entry)]),
  );
  return (request: Request<{ code: string }>, response: ApiResponse): void => {
    const { code } = request.params;
    if (!isErrorCode(code)) throw new ActionError('route_not_found');
    response.set({
      'Cache-Control': 'public, max-age=3600',
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
    });
    response.type('html').send(pages.get(code));
  };
}

const STYLE = `:root{color-scheme:light dark}body{font:1rem/1.6 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem}
code{font-family:ui-monospace,monospace}h1{font-size:1.4rem;overflow-wrap:anywhere}h2{font-size:1.1rem}`;

function renderPage(code: string, { status, message, recoverable, next, why }: ErrorEntry): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(code)}</title>
<style>${STYLE}</style>
<h1><code>${escapeHtml(code)}</code></h1>
<p>HTTP status ${status}</p>
<h2>What happened</h2>
<p>${escapeHtml(message)}</p>
<h2>Why</h2>
<p>${escapeHtml(why)}</p>
<h2>What to do next</h2>
<p>${escapeHtml(next)}</p>
<p>${recoverable ? 'The same caller can succeed by doing this.' : 'The same caller cannot resolve this alone.'}</p>
</html>
`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
