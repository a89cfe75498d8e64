import type { Request, Response } from 'express';
import { answerWithFile, type StaticFile, staticFile } from '../../http/answers/static-file.ts';
import type { AssetUrl } from './assets.ts';
import { type PageParts, protectPage, renderPage } from './page.ts';

/** A page in HTML and in Markdown. */
export interface Document {
  readonly page: StaticFile;
  readonly markdown: StaticFile;
}

type Answer = (request: Request, response: Response) => void;

/** Renders and compresses both forms of a page, for all its answers. */
export function documentOf(page: PageParts, markdown: string, assetUrl: AssetUrl): Document {
  return { page: renderPage(page, assetUrl), markdown: staticFile('text/markdown; charset=utf-8', markdown) };
}

/** Markdown for clients that prefer it, else the HTML page (RFC 9110, section 12.5.1). */
export function negotiated({ page, markdown }: Document): Answer {
  return (request, response) => {
    response.vary('Accept');
    const prefersMarkdown = request.accepts(['text/html', 'text/markdown']) === 'text/markdown';
    always(prefersMarkdown ? markdown : page)(request, response);
  };
}

/** One form, whatever the client accepts. */
export function always(file: StaticFile): Answer {
  return (request, response) => {
    protectPage(response);
    response.set('Cache-Control', 'public, no-cache');
    answerWithFile(request, response, file);
  };
}
