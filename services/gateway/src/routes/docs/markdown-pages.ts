import { ActionError } from '@action-platform/contracts/errors';
import type { Request, Response } from 'express';
import { type StaticFile, staticFile } from '../../http/answers/static-file.ts';
import type { AssetUrl } from './assets.ts';
import { html } from './html.ts';
import { markdown } from './markdown.ts';
import { answerWithPage, renderPage } from './page.ts';

interface Forms {
  readonly page: StaticFile;
  readonly markdown: StaticFile;
}

/**
 * Answers with pages that are written in Markdown: as Markdown at their address with `.md` after it, and to clients that prefer it (RFC
 * 9110, section 12.5.1), else in HTML. A page is rendered at its first request.
 *
 * @param texts the Markdown of each address; its first heading is the title.
 * @param unknown the message at other addresses.
 */
export function markdownPages(texts: ReadonlyMap<string, () => string>, unknown: string, assetUrl: AssetUrl) {
  const rendered = new Map<string, Forms>();
  const render = (address: string): Forms => {
    const text = texts.get(address)?.();
    if (text === undefined) throw new ActionError('route_not_found', { message: unknown });
    const parts = {
      title: /^# (.*)$/m.exec(text)![1]!,
      head: html`<link rel="alternate" type="text/markdown" href="${address}.md">`,
      body: html`<article>\n${markdown(text)}</article>`,
    };
    return {
      page: renderPage(parts, assetUrl),
      markdown: staticFile('text/markdown; charset=utf-8', text),
    };
  };
  return (request: Request, response: Response): Promise<void> => {
    const address = request.path.replace(/\.md$/, '');
    const isNegotiated = address === request.path;
    const { page, markdown } = rendered.getOrInsertComputed(address, render);
    if (isNegotiated) response.vary('Accept');
    const isPage = isNegotiated && request.accepts(['text/html', 'text/markdown']) !== 'text/markdown';
    return answerWithPage(request, response, isPage ? page : markdown);
  };
}
