import {
  BACKSLASH,
  isDigit,
  LOWER_B,
  LOWER_F,
  LOWER_N,
  LOWER_R,
  LOWER_T,
  LOWER_U,
  QUOTE,
  SLASH,
  ZERO,
} from './characters.ts';

/** Length in characters of an escape like `\u00e9`. */
export const UNICODE_ESCAPE_LENGTH = 6;

/** Whether the code may follow a backslash on its own, as in `\n` (RFC 8259, section 7). */
export function isShortEscape(code: number): boolean {
  switch (code) {
    case QUOTE:
    case BACKSLASH:
    case SLASH:
    case LOWER_B:
    case LOWER_F:
    case LOWER_N:
    case LOWER_R:
    case LOWER_T:
      return true;
    default:
      return false;
  }
}

/** The UTF-16 code unit that the `\uXXXX` at this place stands for, or -1 when there is no such escape. */
export function escapedUnit(text: string, at: number): number {
  if (text.charCodeAt(at) !== BACKSLASH || text.charCodeAt(at + 1) !== LOWER_U) return -1;
  let unit = 0;
  for (let digitAt = at + 2; digitAt < at + UNICODE_ESCAPE_LENGTH; digitAt++) {
    const digit = hexDigit(text.charCodeAt(digitAt));
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

function hexDigit(code: number): number {
  if (isDigit(code)) return code - ZERO;
  const lowerCase = code | 0x20;
  return lowerCase >= 0x61 && lowerCase <= 0x66 ? lowerCase - 0x61 + 10 : -1;
}
