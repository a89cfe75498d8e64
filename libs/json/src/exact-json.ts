import { Buffer } from 'node:buffer';
import type { JsonKind } from './scanner/json-tree.ts';
import { scanJson } from './scanner/scan-json.ts';

/** The kinds of value by their first character, except a number. */
const KINDS: Readonly<Record<string, JsonKind>> = {
  '{': 'object',
  '[': 'array',
  '"': 'string',
  t: 'boolean',
  f: 'boolean',
  n: 'null',
};

/** A JSON value that is kept as the text it was sent as, and never turned into JavaScript values. */
export class ExactJson {
  /** The value as sent, with the white space inside it and without the white space around it. */
  readonly text: string;

  /**
   * Wraps a text that is already known to be one unambiguous JSON value without white space around it, such as one
   * that an ExactJson held before it was stored. Nothing is checked; for any other text there is {@link parse}.
   */
  constructor(text: string) {
    this.text = text;
  }

  /**
   * Checks a text as `readJson` checks a body, and keeps its value.
   *
   * @throws JsonSyntaxError, JsonDepthError or JsonAmbiguityError; RangeError when `maxDepth` is out of bounds.
   */
  static parse(text: string, { maxDepth }: { maxDepth: number }): ExactJson {
    const { start, end } = scanJson(text, { maxDepth, recordDepth: 0 });
    return new ExactJson(text.slice(start, end));
  }

  get kind(): JsonKind {
    return KINDS[this.text[0]!] ?? 'number';
  }

  /** Length of the text in UTF-8 bytes. */
  get byteLength(): number {
    return Buffer.byteLength(this.text);
  }

  /**
   * Stops `JSON.stringify`, which could only write the text as a string or lose what parsing loses.
   *
   * @throws TypeError always
   */
  toJSON(): never {
    throw new TypeError('ExactJson is written by stringifyJson or jsonChunks, not by JSON.stringify');
  }
}
