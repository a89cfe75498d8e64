import { marked, Renderer, type Tokens } from 'marked';
import { Html, html } from './html.ts';

/** HTML in Markdown is shown as text. Wide code and tables scroll, by keyboard too. */
class PageRenderer extends Renderer {
  override html({ text }: Tokens.HTML | Tokens.Tag): string {
    return html`${text}`.text;
  }
  override heading({ depth, text, tokens }: Tokens.Heading): string {
    return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
  }
  override code({ text, lang = '' }: Tokens.Code): string {
    return html`<pre tabindex="0" class="${lang}"><code>${text}</code></pre>\n`.text;
  }
  override table(token: Tokens.Table): string {
    return `<div class="table" tabindex="0">${super.table(token)}</div>\n`;
  }
}

const options = { renderer: new PageRenderer(), async: false } as const;

/** A text of Markdown (GitHub's) as HTML. */
export function markdown(text: string): Html {
  return new Html(marked.parse(text, options));
}

/** A line of Markdown as HTML, without a paragraph around it. */
export function inlineMarkdown(text: string): Html {
  return new Html(marked.parseInline(text, options) as string);
}

/** The anchor of a heading, as GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}
