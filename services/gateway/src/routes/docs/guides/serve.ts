import { readdirSync, readFileSync } from 'node:fs';
import { ActionError, docsRoutes } from '@action-platform/contracts';
import type { Request, Response } from 'express';
import type { AssetUrl } from '../assets.ts';
import { always, type Document, documentOf, negotiated } from '../document.ts';
import { html } from '../html.ts';
import { markdown } from '../markdown.ts';

const folder = new URL('../../../../../../docs/', import.meta.url);
const index = docsRoutes.guideIndex.path;

/** The handlers of the guides, the pages of `docs`; each is rendered at its first request. */
export function guidePages(assetUrl: AssetUrl) {
  const addresses = new Map(
    readdirSync(folder)
      .filter((file) => file.endsWith('.md'))
      .map((file) => [file, `${index}/${file.slice(0, -'.md'.length)}`]),
  );
  addresses.set('README.md', index);
  // The catalogue has pages of its own.
  addresses.set('errors.md', docsRoutes.errorIndex.path);
  const files = new Map([...addresses].map(([file, address]) => [address, file]));
  files.delete(docsRoutes.errorIndex.path);

  const rendered = new Map<string, Document>();
  const documentAt = (address: string): Document => {
    const known = rendered.get(address);
    if (known !== undefined) return known;
    const file = files.get(address);
    if (file === undefined) throw new ActionError('route_not_found', { message: 'There is no such guide.' });
    const text = withServedLinks(readFileSync(new URL(file, folder), 'utf8'), addresses);
    const page = {
      title: /^# (.*)$/m.exec(text)![1]!,
      head: html`<link rel="alternate" type="text/markdown" href="${address}.md">`,
      body: html`<article>\n${markdown(text)}</article>`,
    };
    const document = documentOf(page, text, assetUrl);
    rendered.set(address, document);
    return document;
  };
  /** Answers at the address of a guide, and at the same with .md after it. */
  const answer = (request: Request, response: Response): void => {
    const { path } = request;
    if (path.endsWith('.md')) always(documentAt(path.slice(0, -'.md'.length)).markdown)(request, response);
    else negotiated(documentAt(path))(request, response);
  };
  return { guideIndex: answer, guideIndexMarkdown: answer, guide: answer };
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
