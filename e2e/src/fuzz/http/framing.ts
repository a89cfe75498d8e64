import fc from 'fast-check';
import { filled, type Placeholders } from '../environment/placeholders.ts';

/** What is sent on a connection of its own. */
export interface HttpRequest {
  /** `POST /api/v1/operation-grants`, a path template as the document writes it; null when it may be any. */
  readonly route: string | null;
  /** Whether it is one whole request that asks for the connection to be closed after its answer. */
  readonly isWhole: boolean;
  /** Bytes (U+0000 to U+00FF) with placeholders among them. */
  readonly text: string;
  /** Where the sender pauses, as fractions of the whole. */
  readonly pauses: readonly number[];
}

/** How the end of a body is told, rightly or wrongly. */
type Framing = 'length' | 'chunks' | 'none' | 'short' | 'long' | 'both' | 'last chunk missing';

/** Right ones more often than wrong ones. */
export const framings = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom<Framing[]>('length', 'length', 'length', 'chunks') },
  fc.constantFrom<Framing[]>('none', 'short', 'long', 'both', 'last chunk missing'),
);

/** Whether what is framed so is a whole request. */
export function isWholeWith(framing: Framing): boolean {
  return framing === 'length' || framing === 'chunks';
}

/**
 * A request with its body framed (RFC 9112, sections 6 and 7.1). How long what stands between `{{body}}` and `{{end}}`
 * will be is a placeholder too.
 */
export function framed(head: readonly string[], body: string, framing: Framing): string {
  const written = (headers: string[], content: string) => [...head, ...headers, '', content].join('\r\n');
  const chunked = `{{size}}\r\n{{body}}${body}{{end}}\r\n`;
  const length = `{{body}}${body}{{end}}`;
  switch (framing) {
    case 'length':
      return written(['Content-Length: {{length}}'], length);
    case 'short':
      return written(['Content-Length: {{length}}1'], length);
    case 'long':
      return written(['Content-Length: 1'], length);
    case 'none':
      return written([], body);
    case 'chunks':
      return written(['Transfer-Encoding: chunked'], body === '' ? '0\r\n\r\n' : `${chunked}0\r\n\r\n`);
    case 'last chunk missing':
      return written(['Transfer-Encoding: chunked'], chunked);
    case 'both':
      return written(['Transfer-Encoding: chunked', 'Content-Length: {{length}}'], `${chunked}0\r\n\r\n`);
  }
}

/** The bytes of each write. */
export function writesOf({ text, pauses }: HttpRequest, placeholders: Placeholders): string[] {
  const bytes = filled(text, placeholders);
  const { length = 0 } = /\{\{body\}\}([\s\S]*?)\{\{end\}\}/.exec(bytes)?.[1] ?? '';
  const lengths = { length: String(length), size: length.toString(16), body: '', end: '' };
  const sent = filled(bytes, lengths);
  const ends = [...pauses.map((pause) => Math.floor(pause * sent.length)).sort((a, b) => a - b), sent.length];
  return ends.map((end, index) => sent.slice(ends[index - 1] ?? 0, end)).filter((piece) => piece !== '');
}
