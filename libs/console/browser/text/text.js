import { html } from 'lit';

/** A JSON text from somewhere else, sent unchanged in the body of a request. */
export class JsonText {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
}

/** A JSON value with its text. Numbers keep their digits, strings their escapes, and objects the order of their names, which JSON.parse changes. @typedef {{ text: string, members?: { name: string, value: JsonNode }[], items?: JsonNode[] }} JsonNode */

const TOKEN = /\s*("[^"\\]*(?:\\.[^"\\]*)*"|[^\s"[\]{},:]+|[[\]{},:])/y;

/** Reads valid JSON. @param {string} text @returns {JsonNode} */
export function read(text) {
  const tokens = new RegExp(TOKEN, 'y');
  let token = '';
  let start = 0;
  const next = () => {
    token = tokens.exec(text)?.[1] ?? '';
    if (token === '') throw new SyntaxError('The text is no JSON.');
    start = tokens.lastIndex - token.length;
  };
  /** Reads the parts until `end`, and the text from `from` on. @param {number} from @param {string} end @param {() => void} part */
  const whole = (from, end, part) => {
    next();
    while (token !== end) {
      part();
      next();
      if (token === ',') next();
    }
    return text.slice(from, start + 1);
  };
  /** @returns {JsonNode} */
  const value = () => {
    /** @type {{ name: string, value: JsonNode }[]} */
    const members = [];
    /** @type {JsonNode[]} */
    const items = [];
    if (token === '[') return { text: whole(start, ']', () => items.push(value())), items };
    if (token !== '{') return { text: token };
    const member = () => {
      const name = JSON.parse(token);
      next();
      next();
      members.push({ name, value: value() });
    };
    return { text: whole(start, '}', member), members };
  };
  next();
  return value();
}

/** A parser for `call`: the members with these names, at any depth, become JsonText; all others are as JSON.parse reads them. @param {string[]} names @returns {(text: string) => any} */
export const keeping =
  (...names) =>
  (text) =>
    plain(read(text), names);

/** @param {JsonNode} node @param {string[]} kept @returns {unknown} */
function plain({ text, members, items }, kept) {
  if (items !== undefined) return items.map((item) => plain(item, kept));
  if (members === undefined) return JSON.parse(text);
  return Object.fromEntries(
    members.map(({ name, value }) => [
      name,
      kept.includes(name) ? new JsonText(value.text) : plain(value, kept),
    ]),
  );
}

/** The JSON of a value that may have JsonText in it; members that are undefined are left out. @param {unknown} value @returns {string} */
export function toJson(value) {
  if (value instanceof JsonText) return value.text;
  if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${toJson(member)}`).join(',')}}`;
}

/** Controls, bidirectional and other invisible characters, and odd spaces. Line breaks and tabs are layout: JSON escapes those of a string. */
const HIDDEN = /[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]--[ \n\t]]/gv;
/** Characters that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/g;
/** A line break of a string, after a whole number of escaped backslashes. */
const LINE_BREAK = /(?<!\\)(?:\\\\)*\\n/g;
/** Text that a page would show as something else: spaces that it joins, and text that looks like a JSON string. */
const UNCLEAR = /^$|^[ "]| $| {2}|[\n\t\\]/;

/** JSON with its hidden characters as escapes. @param {string} json */
export const withoutHidden = (json) =>
  json.replaceAll(HIDDEN, (hidden) => hidden.split('').map(escaped).join(''));

/** A JSON text, indented, with its hidden characters as escapes. Every line break and tab is layout: a string goes on in a new line after its line breaks. A string from right to left changes no order outside itself. @param {string} json */
export function writtenJson(json) {
  const text = withoutHidden(indentedJson(json)).replaceAll(LINE_BREAK, '$&\n');
  const parts = [];
  let end = 0;
  for (const { 0: string, index } of text.matchAll(STRING)) {
    if (!RIGHT_TO_LEFT.test(string)) continue;
    parts.push(text.slice(end, index), html`<bdi>${string}</bdi>`);
    end = index + string.length;
  }
  return [...parts, text.slice(end)];
}

/** JSON with a line for each member and item. @param {string} json */
export const indentedJson = (json) => indented(read(json), '\n');

/** A value as `writtenJson`. @param {unknown} value */
export const written = (value) => writtenJson(toJson(value));

/** A name or another text of somebody: as it is when each of its characters is seen in its place, and else as a JSON string. @param {string | null | undefined} text */
export function shown(text) {
  if (text === null || text === undefined) return '–';
  if (UNCLEAR.test(text) || text.search(HIDDEN) !== -1)
    return html`<span class="text">${written(text)}</span>`;
  return RIGHT_TO_LEFT.test(text) ? html`<bdi>${text}</bdi>` : text;
}

/** @param {string} unit of UTF-16 */
const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** @param {JsonNode} node @param {string} line the line break before a part at this depth @returns {string} */
function indented({ text, members, items }, line) {
  const inner = `${line}\t`;
  const parts =
    items?.map((item) => indented(item, inner)) ??
    members?.map(({ name, value }) => `${JSON.stringify(name)}: ${indented(value, inner)}`);
  if (parts === undefined) return text;
  const [open, close] = items === undefined ? '{}' : '[]';
  return parts.length === 0 ? `${open}${close}` : `${open}${inner}${parts.join(`,${inner}`)}${line}${close}`;
}
