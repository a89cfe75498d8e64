import { html } from 'lit';
import { elementWith } from '../elements/element.js';
import { optionsView } from '../elements/view.js';
import { JsonText, keeping, toJson } from '../text/text.js';
import { COMPARISONS, changed, enteredOf, LISTS } from './condition-values.js';

/** @typedef {import('./condition-values.js').Row} Row */

const MOST_CONDITIONS = 5;
const COMPARISON_OPTIONS = COMPARISONS.map((is) => /** @type {const} */ ([is, is.replaceAll('_', ' ')]));

/** Conditions of a rule, a row for each; the form sends them as JSON in a hidden input. */
class ConditionRows extends elementWith(() => ({
  /** @type {import('./edits.js').Field} */
  field: { name: '', label: '' },
  /** @type {Row[]} */
  rows: [],
})) {
  connectedCallback() {
    super.connectedCallback();
    this.rows = keeping('value')(this.field.value || '[]');
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    super.updated(changed);
    // The form reads the hidden input, which is there by now.
    if (changed.has('rows')) this.dispatchEvent(new Event('input', { bubbles: true }));
  }

  render() {
    const { name, label, hint, suggestions = [] } = this.field;
    const add = () => {
      this.rows = [...this.rows, { field: '', is: 'above', value: new JsonText('""') }];
    };
    return html`<fieldset>
      <legend>${label}</legend>
      <small>${hint}</small>
      <datalist id="condition-fields">${suggestions.map(([path]) => html`<option value=${path}></option>`)}</datalist>
      ${this.rows.map((row, index) => this.row(row, index))}
      ${this.rows.length < MOST_CONDITIONS ? html`<button type="button" class="small" @click=${add}>Add a condition</button>` : ''}
      <input type="hidden" name=${name} value=${this.rows.length > 0 ? toJson(this.rows.map(({ entered, ...condition }) => condition)) : ''}>
    </fieldset>`;
  }

  /** @param {Row} row @param {number} index */
  row(row, index) {
    const number = index + 1;
    /** @param {string} name @returns {(event: any) => void} */
    const change = (name) => (event) => {
      const next = { ...row, [name]: event.target.value };
      const type = this.field.suggestions?.find(([path]) => path === next.field)?.[2];
      this.rows = this.rows.with(index, changed(next, type));
    };
    const remove = () => {
      this.rows = this.rows.toSpliced(index, 1);
    };
    return html`<span class="pages">
      <input list="condition-fields" aria-label="Field ${number}" placeholder="/payload/amount" .value=${row.field} required maxlength="200" @change=${change('field')}>
      <select aria-label="Comparison ${number}" @change=${change('is')}>${optionsView(COMPARISON_OPTIONS, row.is)}</select>
      <input aria-label="Value ${number}" placeholder=${LISTS.includes(row.is) ? 'EUR, USD' : '100'} .value=${row.entered ?? enteredOf(row.value)} required maxlength="2000" @change=${change('entered')}>
      <button type="button" class="small" aria-label="Remove condition ${number}" @click=${remove}>Remove</button>
    </span>`;
  }
}
customElements.define('condition-rows', ConditionRows);
