import { html, LitElement, nothing } from 'lit';
import { difference, lineDifference, pointer } from './diff.js';
import { tableOf } from './table.js';
import { indentedJson, read, shown, withoutHidden, writtenJson } from './text.js';
import { card } from './view.js';

/** @typedef {{ version: number, payload: { text: string } }} Version */

/** How two versions differ, by lines as code review shows it, or by fields. */
class VersionComparison extends LitElement {
  static properties = {
    former: { attribute: false },
    latter: { attribute: false },
    isByField: { state: true },
  };

  constructor() {
    super();
    /** @type {Version | undefined} */
    this.former = undefined;
    /** @type {Version | undefined} */
    this.latter = undefined;
    this.isByField = false;
  }

  createRenderRoot() {
    return this;
  }

  render() {
    const { former: before, latter: after } = this;
    if (before === undefined || after === undefined) return nothing;
    const changes = difference(read(before.payload.text), read(after.payload.text));
    const lines = lineDifference(linesOf(before), linesOf(after));
    const isByField = this.isByField || lines === undefined;
    const way = (/** @type {boolean} */ each, /** @type {string} */ label) =>
      html`<button type="button" aria-pressed=${each === isByField} @click=${() => {
        this.isByField = each;
      }}>${label}</button>`;
    const isSame = before.payload.text === after.payload.text;
    const equal = html`<p>${isSame ? 'They are equal.' : 'Their values are equal; their texts differ.'}</p>`;
    const body = changes.length === 0 ? equal : isByField ? byField(changes) : byLine(lines);
    return card(`Version ${before.version} → ${after.version}`, html`<div role="status">${body}</div>`, {
      hint: `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`,
      end: html`<span class="segments" role="group" aria-label="Difference">${lines === undefined ? nothing : way(false, 'Lines')}${way(true, 'Fields')}</span>`,
    });
  }
}
customElements.define('version-comparison', VersionComparison);

/** @param {Version} version */
const linesOf = ({ payload }) => indentedJson(payload.text).split('\n');

/** @param {import('./diff.js').Line[]} lines */
const byLine = (lines) =>
  html`<div class="diff" role="group" aria-label="Lines that changed">${lines.map(
    ({ kind, text, before, after }) =>
      html`<div class=${kind}><span class="no">${before ?? ''}</span><span class="no">${after ?? ''}</span><span>${
        { same: ' ', removed: '−', added: '+' }[kind]
      }</span><span>${kind === 'same' ? nothing : html`<span class="unseen">${kind}: </span>`}${withoutHidden(text)}</span></div>`,
  )}</div>`;

/** @param {import('./diff.js').Change[]} changes */
function byField(changes) {
  const json = (/** @type {string | undefined} */ text) =>
    text === undefined ? '–' : html`<code class="text">${writtenJson(text)}</code>`;
  return tableOf(
    'What changed',
    [
      ['At', ({ path }) => html`<code>${shown(pointer(path) || '(the whole)')}</code>`],
      ['Before', (change) => json(change.before)],
      ['After', (change) => json(change.after)],
    ],
    changes,
  );
}

/** The comparison of two versions. @param {Version} before @param {Version} after */
export const comparison = (before, after) =>
  html`<version-comparison .former=${before} .latter=${after}></version-comparison>`;
