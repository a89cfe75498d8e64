import { docsUrl, operationDocsUrl } from '@action-platform/contracts';
import { type Html, html } from '../html.ts';
import type { PageParts } from '../page.ts';
import { type ErrorArticle, verdict } from './article.ts';

/** The HTML page of a code. */
export function articlePage(article: ErrorArticle): PageParts {
  const { code, status, sections, example } = article;
  return {
    title: code,
    head: markdownAt(`${docsUrl(code)}.md`),
    body: html`<article>
<h1><code>${code}</code></h1>
<p><strong class="status">${status}</strong> ${verdict(article)}</p>
${sections.map(({ heading, text }) => html`<h2>${heading}</h2>\n<p>${text}</p>\n`)}
<h2>Where it occurs</h2>
<ul>
${places(article)}</ul>
<h2>Example response</h2>
<pre class="whole"><code>${example}</code></pre>
</article>`,
  };
}

/** The HTML page of all codes by status. */
export function cataloguePage(articles: readonly ErrorArticle[]): PageParts {
  const groups = [...Map.groupBy(articles, ({ status }) => status)];
  return {
    title: 'Error catalogue',
    head: markdownAt('/docs/errors.md'),
    body: html`<article>
<h1>Error catalogue</h1>
<p>Every failure is <code>{"error": {code, message, recoverable, next, requestId, docs_url}}</code>. Do what <code>next</code> says.</p>
${groups.map(
  ([status, members]) => html`<h2 id="${Number.parseInt(status, 10)}">${status}</h2>
<ul class="codes">
${members.map(
  ({ code, sections }) =>
    html`<li><a href="${docsUrl(code)}"><code>${code}</code></a> ${sections[0]!.text}</li>\n`,
)}</ul>
`,
)}</article>`,
  };
}

function places({ operations, otherRoutes }: ErrorArticle): Html[] {
  const inReference = (id: string) => html`<a href="${operationDocsUrl(id)}"><code>${id}</code></a>`;
  const all = [
    ...(operations === 'every' ? [html`Every operation`] : operations.map(inReference)),
    ...otherRoutes.map((route) => html`<code>${route}</code>`),
  ];
  return (all.length === 0 ? [html`Any address`] : all).map((place) => html`<li>${place}</li>\n`);
}

function markdownAt(address: string): Html {
  return html`<link rel="alternate" type="text/markdown" href="${address}">`;
}
