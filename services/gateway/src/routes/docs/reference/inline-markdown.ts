import { type Html, html } from '../html.ts';

const MARKED = /`([^`]+)`|\*\*(.+?)\*\*|\[(.+?)\]\(([^)\s]+)\)/;

/** A line of Markdown as HTML: code, strong text and links, as in the document's descriptions. */
export function inlineMarkdown(text: string): Html {
  const [found, code, strong, label, address] = MARKED.exec(text) ?? [];
  if (found === undefined) return html`${text}`;
  const at = text.indexOf(found);
  const marked =
    code !== undefined
      ? html`<code>${code}</code>`
      : strong !== undefined
        ? html`<strong>${inlineMarkdown(strong)}</strong>`
        : html`<a href="${address!}">${inlineMarkdown(label!)}</a>`;
  return html`${text.slice(0, at)}${marked}${inlineMarkdown(text.slice(at + found.length))}`;
}

/** Paragraphs and lists of such lines. */
export function markdown(text: string): Html {
  const blocks = text
    .split('\n\n')
    .map((block) =>
      block.startsWith('- ')
        ? html`<ul>${block.split('\n').map((line) => html`<li>${inlineMarkdown(line.slice(2))}</li>\n`)}</ul>\n`
        : html`<p>${inlineMarkdown(block)}</p>\n`,
    );
  return html`${blocks}`;
}
