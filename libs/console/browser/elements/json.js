import { html } from 'lit';
import { read, withoutHidden, written, writtenJson } from '../text/text.js';

/** The longest JSON that gets colours and folds, in characters; longer JSON is shown as text, so that the page stays responsive. */
const LONGEST = 65_536;
/** The longest list that stands in one line, in characters. */
const LINE = 64;

/** JSON, whole: with colours, and its objects and lists fold. Hidden characters are written out. @param {string} json */
export function jsonView(json) {
  if (json.length > LONGEST) return html`<pre tabindex="0">${writtenJson(json)}</pre>`;
  return html`<div class="json" tabindex="0" role="group" aria-label="JSON">${nodeView(read(json), '', '')}</div>`;
}

/** @param {import('../text/text.js').JsonNode} node @param {unknown} before its name @param {string} after a comma, or nothing @returns {unknown} */
function nodeView({ text, members, items }, before, after) {
  if (members === undefined && items === undefined) return html`<div>${before}${scalar(text)}${after}</div>`;
  const [open, close] = items === undefined ? '{}' : '[]';
  const parts = items ?? members ?? [];
  if (parts.length === 0) return html`<div>${before}${open}${close}${after}</div>`;
  if (items?.every((item) => item.members === undefined && item.items === undefined) && text.length < LINE)
    return html`<div>${before}[${items.map((item, index) => [index > 0 ? ', ' : '', scalar(item.text)])}]${after}</div>`;
  const comma = (/** @type {number} */ index) => (index < parts.length - 1 ? ',' : '');
  const inner =
    items?.map((item, index) => nodeView(item, '', comma(index))) ??
    members?.map(({ name, value }, index) => nodeView(value, nameView(name), comma(index)));
  return html`<details open><summary>${before}${open}</summary><div class="in">${inner}</div><div>${close}${after}</div></details>`;
}

/** @param {string} text */
const scalar = (text) =>
  text.startsWith('"')
    ? html`<span class="string">${writtenJson(text)}</span>`
    : html`<span class="other">${withoutHidden(text)}</span>`;

/** @param {string} name */
const nameView = (name) => html`<span class="key">${written(name)}</span>: `;
