import { type ErrorArticle, verdict } from './article.ts';

/** The page of a code, as Markdown. */
export function articleMarkdown(article: ErrorArticle): string {
  const { code, status, sections, operations, otherRoutes, example } = article;
  return `# ${code}

${status}. ${verdict(article)}

${sections.map(({ heading, text }) => `## ${heading}\n\n${escapeMarkdown(text)}\n`).join('\n')}
## Where it occurs

${operations === 'every' ? '- Every operation.\n' : list(operations)}${list(otherRoutes)}${
  operations.length === 0 && otherRoutes.length === 0 ? '- Any address.\n' : ''
}
## Example response

\`\`\`json
${example}
\`\`\`

All codes: /docs/errors
`;
}

/** The whole catalogue as Markdown: a table by status. It is also docs/errors.md. */
export function catalogueMarkdown(articles: readonly ErrorArticle[]): string {
  const rows = articles.map(({ code, status, recoverable, sections }) => {
    const next = escapeMarkdown(sections.at(-1)!.text).replaceAll('|', '\\|');
    return `| \`${code}\` | ${status} | ${recoverable ? 'yes' : 'no'} | ${next} |`;
  });
  return `# Error catalogue

Every failure is \`{"error": {code, message, recoverable, next, requestId, docs_url}}\`. \`recoverable\` is true when the same
caller can succeed by doing what \`next\` says. A gateway explains each code at its \`docs_url\`, \`/docs/errors/<code>\`: as a page, or
as Markdown with \`Accept: text/markdown\` or \`.md\` after the code.

| Code | Status | Recoverable | Next step |
|---|---|---|---|
${rows.join('\n')}
`;
}

function list(items: readonly string[]): string {
  return items.map((item) => `- \`${item}\`\n`).join('');
}

/** Escapes the characters that could begin HTML, code, emphasis or a link in Markdown. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*<[]/g, '\\$&');
}
