import { catalogueMarkdown } from './markdown.ts';

/**
 * docs/errors.md: the answer of GET /docs/errors.md without its links, for readers of the repository.
 * @public `npm run docs` writes it
 */
export const generated = {
  file: new URL('../../../../../../docs/errors.md', import.meta.url),
  content: catalogueMarkdown(),
};
