import fc from 'fast-check';
import { filled, type Placeholders } from '../environment/placeholders.ts';

/** The bytes of one connection. */
export interface HttpRequest {
  /** `POST /api/v1/operation-grants`, with the path template of the document; null when mutation may change the route. */
  readonly route: string | null;
  /** Whether it is one whole request with `Connection: close`. */
  readonly isWhole: boolean;
  /** Bytes (U+0000 to U+00FF) with placeholders among them. */
  readonly text: string;
  /** The pauses of the sender, as fractions of the text. */
  readonly pauses: readonly number[];
}

/** The framing of a body, right or wrong. */
type Framing = 'length' | 'chunks' | 'none' | 'short' | 'long' | 'both' | 'last chunk missing';

/** Framings, right ones more often than wrong ones. */
export const framings = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom<Framing[]>('length', 'length', 'length', 'chunks') },
  fc.constantFrom<Framing[]>('none', 'short', 'long', 'both', 'last chunk missing'),
);

/** Whether a request with this framing is whole. */
export function isWholeWith(framing: Framing): boolean {
  return framing === 'length' || framing === 'chunks';
}

/**
 * A request with its body framed (RFC 9112, sections 6 and 7.1). The length of the text between `{{body}}` and `{{end}}`
 * is a placeholder too.
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
