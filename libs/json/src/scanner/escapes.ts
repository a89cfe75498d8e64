import { BACKSLASH, LOWER_U } from './characters.ts';

/** Length in characters of an escape like `\u00e9`. */
export const UNICODE_ESCAPE_LENGTH = 6;

const SHORT_ESCAPES = new Set(Array.from('"\\/bfnrt', (character) => character.charCodeAt(0)));

/** Whether the code may follow a backslash on its own, as in `\n` (RFC 8259, section 7). */
export function isShortEscape(code: number): boolean {
  return SHORT_ESCAPES.has(code);
}

/** The UTF-16 code unit that the `\uXXXX` at this position stands for, or -1 when there is no such escape. */
export function escapedUnit(text: string, at: number): number {
  if (text.charCodeAt(at) !== BACKSLASH || text.charCodeAt(at + 1) !== LOWER_U) return -1;
  let unit = 0;
  for (let digitAt = at + 2; digitAt < at + UNICODE_ESCAPE_LENGTH; digitAt++) {
    const digit = Number.parseInt(text.charAt(digitAt), 16);
    if (Number.isNaN(digit)) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}
