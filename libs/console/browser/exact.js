import { html } from 'lit';

/** Controls, bidirectional and other invisible characters, and odd spaces. Line breaks and tabs are layout: JSON escapes those of a string. */
const HIDDEN = /[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]--[ \n\t]]/gv;
/** Characters that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const STRING = /"(?:[^"\\]|\\.)*"/g;
/** A line break of a string, after a whole number of escaped backslashes. */
const LINE_BREAK = /(?<!\\)(?:\\\\)*\\n/g;

/**
 * JSON with the source text of numbers (ECMAScript 2026), which TypeScript does not know yet.
 *
 * @type {{
 *   parse(text: string, reviver: (name: string, value: unknown, context: { source: string }) => unknown): any,
 *   rawJSON(text: string): object,
 * }}
 */
const { parse, rawJSON } = /** @type {any} */ (JSON);

/** Parses JSON; numbers keep their text, and a browser that cannot keep it fails. @param {string} text */
export function parseExact(text) {
  return parse(text, (_name, value, { source }) => (typeof value === 'number' ? rawJSON(source) : value));
}

/**
 * The whole of a value, also of one that `parseExact` read, as indented JSON: hidden characters are written out, and a string goes on in
 * a new line after each line break. Every line break and tab in it is layout. A string from right to left changes no order outside itself.
 *
 * @param {unknown} value
 */
export function written(value) {
  const text = JSON.stringify(value, null, '\t')
    .replaceAll(HIDDEN, (hidden) => hidden.split('').map(escaped).join(''))
    .replaceAll(LINE_BREAK, '$&\n');
  const parts = [];
  let end = 0;
  for (const { 0: string, index } of text.matchAll(STRING)) {
    if (!RIGHT_TO_LEFT.test(string)) continue;
    parts.push(text.slice(end, index), html`<bdi>${string}</bdi>`);
    end = index + string.length;
  }
  return [...parts, text.slice(end)];
}

/** @param {string} unit of UTF-16 */
const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
