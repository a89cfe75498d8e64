import { html } from 'lit';

/** Characters that cannot be seen, or change how others are seen: controls, bidirectional and invisible ones, and odd spaces. */
const HIDDEN = /[\p{C}[\p{Z}--[ ]]\p{Default_Ignorable_Code_Point}\u2800]/gv;
/** Characters that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** @param {string} hidden */
const writtenOut = (hidden) => hidden.split('').map(unitWrittenOut).join('');
/** @param {string} unit */
const unitWrittenOut = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Text from right to left changes no order outside itself. @param {string} text */
const isolated = (text) => (RIGHT_TO_LEFT.test(text) ? html`<bdi>${text}</bdi>` : text);

/** Text with every hidden character written out. @param {string} [text] */
export const plain = (text = '') => isolated(text.replaceAll(HIDDEN, writtenOut));

/**
 * JSON with the source text of numbers (ECMAScript 2026), which TypeScript does not know yet.
 *
 * @type {{
 *   parse(text: string, reviver: (name: string, value: unknown, context: { source: string }) => unknown): any,
 *   rawJSON(text: string): object,
 *   isRawJSON(value: unknown): boolean,
 * }}
 */
const { parse, rawJSON, isRawJSON } = /** @type {any} */ (JSON);

/** Parses JSON; numbers keep their text, and a browser that cannot keep it fails. @param {string} text */
export function parseExact(text) {
  return parse(text, (_name, value, { source }) => (typeof value === 'number' ? rawJSON(source) : value));
}

/** A JSON string, with a line break after each that is written out. @param {string} text */
function quoted(text) {
  const lines = text
    .split('\n')
    .map((line) => JSON.stringify(line).slice(1, -1).replaceAll(HIDDEN, writtenOut));
  return `"${lines.join('\\n\n')}"`;
}

/**
 * The whole of a value that `parseExact` read, as indented JSON. Every line break in it is layout.
 *
 * @param {unknown} whole
 */
export function written(whole) {
  /** @type {unknown[]} */
  const parts = [];
  let text = '';
  /** @param {string} string */
  const put = (string) => {
    const shown = isolated(quoted(string));
    if (typeof shown === 'string') text += shown;
    else {
      parts.push(text, shown);
      text = '';
    }
  };
  /** @param {unknown} value @param {string} line the break before it */
  const write = (value, line) => {
    if (typeof value === 'string') return put(value);
    if (!isContainer(value)) {
      text += JSON.stringify(value);
      return;
    }
    const isList = Array.isArray(value);
    const members = Object.entries(value);
    const isFlat = isList && !value.some((item) => typeof item === 'string' || isContainer(item));
    const inner = isFlat ? '' : `${line}\t`;
    text += isList ? '[' : '{';
    for (const [index, [name, member]] of members.entries()) {
      if (index > 0) text += isFlat ? ', ' : ',';
      text += inner;
      if (!isList) {
        put(name);
        text += ': ';
      }
      write(member, inner);
    }
    if (members.length > 0 && !isFlat) text += line;
    text += isList ? ']' : '}';
  };
  write(whole, '\n');
  return [...parts, text];
}

/** Whether a value has members. @param {unknown} value @returns {value is object} */
function isContainer(value) {
  return typeof value === 'object' && value !== null && !isRawJSON(value);
}
