import { html, nothing } from 'lit';
import { changedWords, difference, lineDifference, pointer } from '../text/diff.js';
import { indentedJson, read, shown, withoutHidden, writtenJson } from '../text/text.js';
import { elementWith } from './element.js';
import { tableOf } from './rows.js';
import { card, countOf, segments } from './view.js';

/** @typedef {{ version: number, payload: { text: string } }} Version */

/** How two versions differ, by lines as code review shows it, or by fields. */
class VersionComparison extends elementWith(() => ({
  former: /** @type {Version} */ ({ version: 0, payload: { text: 'null' } }),
  latter: /** @type {Version} */ ({ version: 0, payload: { text: 'null' } }),
  way: 'lines',
})) {
  render() {
    const { former, latter } = this;
    const changes = difference(read(former.payload.text), read(latter.payload.text));
    const lines = lineDifference(linesOf(former), linesOf(latter));
    const fields = /** @type {const} */ (['fields', 'Fields']);
    const ways = lines ? [/** @type {const} */ (['lines', 'Lines']), fields] : [fields];
    const way = lines ? this.way : 'fields';
    const isSame = former.payload.text === latter.payload.text;
    const equal = html`<p>${isSame ? 'They are equal.' : 'Their values are equal; their texts differ.'}</p>`;
    const changed = lines && way === 'lines' ? byLine(lines) : byField(changes);
    return card(
      `Version ${former.version} → ${latter.version}`,
      html`<div role="status">${changes.length === 0 ? equal : changed}</div>`,
      {
        hint: countOf(changes.length, 'change'),
        end: segments('Difference', ways, way, (chosen) => {
          this.way = chosen;
        }),
      },
    );
  }
}
customElements.define('version-comparison', VersionComparison);

/** @param {Version} version */
const linesOf = ({ payload }) => indentedJson(payload.text).split('\n');

const SIGNS = { same: ' ', removed: '−', added: '+' };

/** @param {import('../text/diff.js').Line[]} lines */
const byLine = (lines) =>
  html`<div class="diff" role="group" aria-label="Lines that changed">${lines.map(
    ({ kind, before, after }, index) =>
      html`<div class=${kind}><span class="no">${before ?? ''}</span><span class="no">${after ?? ''}</span><span>${SIGNS[kind]}</span><span>${kind === 'same' ? nothing : html`<span class="unseen">${kind}: </span>`}${lineOf(lines, index)}</span></div>`,
  )}</div>`;

/** A line, with the words in bold that differ from the one line that it replaces, or that replaces it. @param {import('../text/diff.js').Line[]} lines @param {number} index */
function lineOf(lines, index) {
  const { kind, text } = /** @type {import('../text/diff.js').Line} */ (lines[index]);
  const first = kind === 'added' ? index - 1 : index;
  const kinds = [-1, 0, 1, 2].map((step) => lines[first + step]?.kind);
  if (
    kind === 'same' ||
    `${kinds.slice(1, 3)}` !== 'removed,added' ||
    kinds[0] === 'removed' ||
    kinds[3] === 'added'
  )
    return withoutHidden(text);
  const both = changedWords(lines[first]?.text ?? '', lines[first + 1]?.text ?? '');
  const [head = '', changed = '', tail = ''] = both[index - first] ?? [];
  return html`${withoutHidden(head)}<b>${withoutHidden(changed)}</b>${withoutHidden(tail)}`;
}

/** @param {string | undefined} text */
const jsonOf = (text) => (text === undefined ? '–' : html`<code class="text">${writtenJson(text)}</code>`);

/** @type {import('./rows.js').Columns} */
const columns = {
  At: ({ path }) => html`<code>${shown(pointer(path) || '(the whole)')}</code>`,
  Before: ({ before }) => jsonOf(before),
  After: ({ after }) => jsonOf(after),
};
/** @param {import('../text/diff.js').Change[]} changes */
const byField = (changes) => tableOf('What changed', columns, changes);

/** The comparison of two versions. @param {Version} former @param {Version} latter */
export const comparison = (former, latter) =>
  html`<version-comparison .former=${former} .latter=${latter}></version-comparison>`;
