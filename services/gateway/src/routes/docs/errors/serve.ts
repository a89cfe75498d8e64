import { ActionError, type Operation } from '@action-platform/contracts';
import type { Request, Response } from 'express';
import type { AssetUrl } from '../assets.ts';
import { always, documentOf, negotiated } from '../document.ts';
import { errorArticles } from './article.ts';
import { articlePage, cataloguePage } from './html.ts';
import { articleMarkdown, catalogueMarkdown } from './markdown.ts';

/** The handlers of the error catalogue; its pages are made once. */
export function errorCataloguePages(operations: ReadonlyMap<string, Operation>, assetUrl: AssetUrl) {
  const articles = errorArticles(operations);
  const index = documentOf(cataloguePage(articles), catalogueMarkdown(articles), assetUrl);
  const byName = new Map<string, ReturnType<typeof always>>();
  for (const article of articles) {
    const document = documentOf(articlePage(article), articleMarkdown(article), assetUrl);
    byName.set(article.code, negotiated(document));
    byName.set(`${article.code}.md`, always(document.markdown));
  }
  return {
    errorIndex: negotiated(index),

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
