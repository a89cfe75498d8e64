import { STATUS_CODES } from 'node:http';
import { ActionError, type ErrorCode, errorCatalogue } from '@action-platform/contracts/errors';

/** Every code of the catalogue, by status. */
export const codes = (Object.keys(errorCatalogue) as ErrorCode[]).sort(
  (one, other) => errorCatalogue[one].status - errorCatalogue[other].status,
);

/** The page of a code. @param places where it occurs, each as Markdown */
export function articleMarkdown(code: ErrorCode, places: readonly string[]): string {
  const { recoverable, message, why, next } = errorCatalogue[code];
  const example = new ActionError(code).toEnvelope('req_4bf92f3577b34da6a3ce929d0e0e4736');
  const verdict = recoverable
    ? 'Recoverable: the same caller can correct it.'
    : 'Not recoverable: the same caller alone cannot correct it.';
  return `# ${code}

${statusLine(code)}. ${verdict}

## What happened

${escapeMarkdown(message)}

## Why

${escapeMarkdown(why)}

## What to do next

${escapeMarkdown(next)}

## Where it occurs

${places.map((place) => `- ${place}\n`).join('')}
## Example response

\`\`\`json
${JSON.stringify(example, null, 2)}
\`\`\`

[All codes](/docs/errors)
`;
}

/** The whole catalogue: a table by status. @param named a code as its page's link, or by itself */
export function catalogueMarkdown(named = (code: ErrorCode) => `\`${code}\``): string {
  const inCell = (text: string) => escapeMarkdown(text).replaceAll('|', '\\|');
  const rows = codes.map((code) => {
    const { recoverable, message, next } = errorCatalogue[code];
    const texts = [message, next].map(inCell).join(' | ');
    return `| ${named(code)} | ${statusLine(code)} | ${recoverable ? 'yes' : 'no'} | ${texts} |`;
  });
  return `# Error catalogue

Every failure is \`{"error": {code, message, recoverable, next, requestId, docs_url}}\`. \`recoverable\` is true when the same
caller can succeed by doing what \`next\` says. A gateway explains each code at its \`docs_url\`, \`/docs/errors/<code>\`: as a page, or
as Markdown with \`Accept: text/markdown\` or \`.md\` after the code.

| Code | Status | Recoverable | What happened | Next step |
|---|---|---|---|---|
${rows.join('\n')}
`;
}

/** The status line of an error: `400 Bad Request`. */
function statusLine(code: ErrorCode): string {
  const { status } = errorCatalogue[code];
  return `${status} ${STATUS_CODES[status]}`;
}

/** Escapes the characters that could begin HTML, code, emphasis or a link in Markdown. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*<[]/g, '\\$&');
}
