import { encodeWord } from 'nodemailer/lib/mime-funcs';

/** The longest encoded-word, its delimiters not counted, that leaves room on a line for the name of its field. */
const ENCODED_WORD_LENGTH = 52;

/**
 * Text as the value of an unstructured field (RFC 5322, section 3.2.5) that reads back exactly. Anything but words of
 * printable ASCII between single spaces is encoded (RFC 2047): folding may alter other white space, and what looks
 * like an encoded-word would be decoded.
 */
export function unstructured(text: string): string {
  return /^[!-~]+( [!-~]+)*$/.test(text) && !text.includes('=?') ? text : encoded(text);
}

/** A display name as a phrase (RFC 5322, section 3.2.5): words that need no quoting, or encoded (RFC 2047, section 5). */
export function phrase(name: string): string {
  return /^[A-Za-z0-9]+( [A-Za-z0-9]+)*$/.test(name) ? name : encoded(name);
}

function encoded(text: string): string {
  return encodeWord(text, 'B', ENCODED_WORD_LENGTH);
}
