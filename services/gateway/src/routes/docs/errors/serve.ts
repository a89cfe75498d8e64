import { ActionError, type Operation } from '@action-platform/contracts';
import type { Request, Response } from 'express';
import { answerWithFile, type StaticFile, staticFile } from '../../../http/static-file.ts';
import type { AssetUrl } from '../assets.ts';
import { type PageParts, protectPage, renderPage } from '../page.ts';
import { errorArticles } from './article.ts';
import { articlePage, cataloguePage } from './html.ts';
import { articleMarkdown, catalogueMarkdown } from './markdown.ts';

/** A page in HTML and in Markdown. */
interface Document {
  readonly page: StaticFile;
  readonly markdown: StaticFile;
}

type Answer = (request: Request, response: Response) => void;

/** The handlers of the error catalogue; its pages are made once. */
export function errorCataloguePages(operations: ReadonlyMap<string, Operation>, assetUrl: AssetUrl) {
  const prepare = (page: PageParts, markdown: string): Document => ({
    page: renderPage(page, assetUrl),
    markdown: staticFile('text/markdown; charset=utf-8', markdown),
  });
  const articles = errorArticles(operations);
  const index = prepare(cataloguePage(articles), catalogueMarkdown(articles));
  const byName = new Map<string, Answer>();
  for (const article of articles) {
    const document = prepare(articlePage(article), articleMarkdown(article));
    byName.set(article.code, negotiated(document));
    byName.set(`${article.code}.md`, always(document.markdown));
  }
  return {
    /** GET /docs/errors */
    errorIndex: negotiated(index),

    /** GET /docs/errors.md */
    errorIndexMarkdown: always(index.markdown),

    /** GET /docs/errors/{code}, and the same with .md after it */
    errorPage: (request: Request, response: Response): void => {
      const answer = byName.get(request.params.code as string);
      if (answer === undefined)
        throw new ActionError('route_not_found', { message: 'There is no such error code.' });
      answer(request, response);
    },
  };
}

/** Markdown for clients that prefer it, else the HTML page (RFC 9110, section 12.5.1). */
function negotiated({ page, markdown }: Document): Answer {
  return (request, response) => {
    response.vary('Accept');
    const prefersMarkdown = request.accepts(['text/html', 'text/markdown']) === 'text/markdown';
    always(prefersMarkdown ? markdown : page)(request, response);
  };
}

function always(file: StaticFile): Answer {
  return (request, response) => {
    protectPage(response);
    response.set('Cache-Control', 'public, no-cache');
    answerWithFile(request, response, file);
  };
}
