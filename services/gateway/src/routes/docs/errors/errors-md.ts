import { writeFileSync } from 'node:fs';
import { operations } from '@action-platform/contracts';
import { errorArticles } from './article.ts';
import { catalogueMarkdown } from './markdown.ts';

/** docs/errors.md: the answer of GET /docs/errors.md, for readers of the repository. */
export const errorsMd = {
  file: new URL('../../../../../../docs/errors.md', import.meta.url),
  content: catalogueMarkdown(errorArticles(operations)),
};

if (import.meta.main) writeFileSync(errorsMd.file, errorsMd.content);
