import { readdirSync, readFileSync } from 'node:fs';
import { docsRoutes } from '@action-platform/contracts/routes';
import type { Request, Response } from 'express';
import { staticFile } from '../../../http/answers/static-file.ts';
import type { AssetUrl } from '../assets.ts';
import { markdownPages } from '../markdown-pages.ts';
import { answerWithPage } from '../page.ts';

const folder = new URL('../../../../../../docs/', import.meta.url);
const index = docsRoutes.guideIndex.path;

/** The handlers of the guides, the pages of `docs`, and of their list for language models. */
export function guidePages(assetUrl: AssetUrl) {
  const addresses = new Map(
    readdirSync(folder)
      .filter((file) => file.endsWith('.md'))
      .map((file) => [file, `${index}/${file.slice(0, -'.md'.length)}`]),
  );
  addresses.set('README.md', index);
  // The catalogue has pages of its own.
  addresses.set('errors.md', docsRoutes.errorIndex.path);
  const read = (file: string) => readFileSync(new URL(file, folder), 'utf8');
  const texts = new Map(
    [...addresses].map(([file, address]) => [address, () => withServedLinks(read(file), addresses)]),
  );
  texts.delete(docsRoutes.errorIndex.path);
  const answer = markdownPages(texts, 'There is no such guide.', assetUrl);
  const asMarkdown = new Map([...addresses].map(([file, address]) => [file, `${address}.md`]));
  const list = staticFile('text/plain; charset=utf-8', withServedLinks(read('README.md'), asMarkdown));
  const llms = (request: Request, response: Response) => answerWithPage(request, response, list);
  return { guideIndex: answer, guideIndexMarkdown: answer, guide: answer, llms };
}

/**
 * Markdown whose links between pages lead to their addresses. A link to a file that is not served becomes text, and so does a picture.
 *
 * @param addresses of the served pages, by file.
 */
function withServedLinks(text: string, addresses: ReadonlyMap<string, string>): string {
  return text.replaceAll(
    /!?\[([^[\]]*)\]\((?!https?:)([^)#\s]+)(#[^)\s]+)?\)/g,
    (_link, label: string, file: string, anchor = '') => {
      const address = addresses.get(file);
      return address === undefined ? label : `[${label}](${address}${anchor})`;
    },
  );
}
