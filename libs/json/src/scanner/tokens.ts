import { JsonSyntaxError } from '../errors.ts';
import {
  BACKSLASH,
  CARRIAGE_RETURN,
  isDigit,
  isHighSurrogate,
  isLowSurrogate,
  LINE_FEED,
  LOWER_E,
  MINUS,
  PLUS,
  POINT,
  QUOTE,
  SPACE,
  TAB,
  UPPER_E,
  ZERO,
} from './characters.ts';
import { escapedUnit, isShortEscape, UNICODE_ESCAPE_LENGTH } from './escapes.ts';

/** How a string is written: `plain` stands for itself, `lone_surrogate` has escapes that are no Unicode text. */
export type StringSpelling = 'plain' | 'escaped' | 'lone_surrogate';

/** Stands for the character after the last one. */
export const END_OF_TEXT = -1;

/**
 * Scans the tokens of a JSON text (RFC 8259, sections 2, 3, 6 and 7) without building their values.
 *
 * Every method expects `position` at the token's first character and leaves it after the last one.
 */
export class Tokens {
  readonly text: string;
  position = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Skips white space and gives the code of the character that follows. */
  next(): number {
    let code = this.codeHere();
    while (code === SPACE || code === LINE_FEED || code === CARRIAGE_RETURN || code === TAB) {
      this.position++;
      code = this.codeHere();
    }
    return code;
  }

  literal(word: 'true' | 'false' | 'null'): void {
    if (!this.text.startsWith(word, this.position)) this.refuse('Expected a value');
    this.position += word.length;
  }

  number(): void {
    if (this.codeHere() === MINUS) this.position++;
    if (this.codeHere() === ZERO) this.position++;
    else this.digits();
    if (this.codeHere() === POINT) {
      this.position++;
      this.digits();
    }
    const exponent = this.codeHere();
    if (exponent === LOWER_E || exponent === UPPER_E) {
      this.position++;
      const sign = this.codeHere();
      if (sign === PLUS || sign === MINUS) this.position++;
      this.digits();
    }
  }

  private digits(): void {
    if (!isDigit(this.codeHere())) this.refuse('Expected a digit');
    do this.position++;
    while (isDigit(this.codeHere()));
  }

  string(): StringSpelling {
    let spelling: StringSpelling = 'plain';
    this.position++;
    for (;;) {
      this.position = endOfPlainRun(this.text, this.position);
      switch (this.codeHere()) {
        case QUOTE:
          this.position++;
          return spelling;
        case BACKSLASH:
          if (!this.escape()) spelling = 'lone_surrogate';
          else if (spelling === 'plain') spelling = 'escaped';
          break;
        case END_OF_TEXT:
          return this.refuse('Expected a closing quote');
        default:
          return this.refuse('Control character in a string');
      }
    }
  }

  /** Skips one escape, or two that make a surrogate pair; false when it is half of a pair. */
  private escape(): boolean {
    const at = this.position;
    if (isShortEscape(this.text.charCodeAt(at + 1))) {
      this.position += 2;
      return true;
    }
    const unit = escapedUnit(this.text, at);
    if (unit < 0) this.refuse('Unknown escape in a string');
    this.position += UNICODE_ESCAPE_LENGTH;
    if (isHighSurrogate(unit) && isLowSurrogate(escapedUnit(this.text, this.position))) {
      this.position += UNICODE_ESCAPE_LENGTH;
      return true;
    }
    return !isHighSurrogate(unit) && !isLowSurrogate(unit);
  }

  /** Reading past the end with charCodeAt gives NaN, which would turn every code into a floating-point number. */
  private codeHere(): number {
    return this.position < this.text.length ? this.text.charCodeAt(this.position) : END_OF_TEXT;
  }

  refuse(problem: string): never {
    throw new JsonSyntaxError(problem, this.position);
  }
}

/** The end of a string's unescaped characters. This loop reads most of a text, so it does little per character. */
function endOfPlainRun(text: string, from: number): number {
  const { length } = text;
  let at = from;
  while (at < length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE || code === BACKSLASH || code < SPACE) break;
    at++;
  }
  return at;
}
