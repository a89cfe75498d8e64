import { html } from 'lit';
import { elementWith } from './element.js';
import { JsonText, keeping, toJson } from './text.js';

/** A condition, whose value keeps every digit. @typedef {{ field: string, is: string, value: JsonText }} Condition */

const LISTS = ['in', 'not_in'];
const OF_NUMBERS = ['above', 'at_least', 'below', 'at_most'];
const OF_TEXT = ['begins_with', 'ends_with', 'not_ends_with'];
const COMPARISONS = ['equals', 'not_equals', ...LISTS, ...OF_NUMBERS, ...OF_TEXT];
const MOST = 5;
const SCALAR = /^(-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?|true|false|null)$/i;

/** A condition in words. @param {Condition} condition */
export const inWords = ({ field, is, value }) => `${field} ${is.replaceAll('_', ' ')} ${enteredOf(value)}`;

/** Conditions of a rule, a row for each; the form sends them as JSON in a hidden input. */
class ConditionRows extends elementWith(() => ({
  /** @type {import('./edits.js').Field} */
  field: { name: '', label: '' },
  /** @type {Condition[]} */
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
      ${this.rows.length < MOST ? html`<button type="button" class="small" @click=${add}>Add a condition</button>` : ''}
      <input type="hidden" name=${name} value=${this.rows.length > 0 ? toJson(this.rows) : ''}>
    </fieldset>`;
  }

  /** @param {Condition} row @param {number} index */
  row(row, index) {
    const number = index + 1;
    const type = this.field.suggestions?.find(([path]) => path === row.field)?.[2];
    /** @param {Partial<Condition> & { entered?: string }} change */
    const change = ({ entered, ...changed }) => {
      // Only an entered value is read anew: that of a rule may have commas, and text that looks like a number.
      const value = entered === undefined ? row.value : meantBy(entered, row.is, type);
      this.rows = this.rows.with(index, { ...row, ...changed, value });
    };
    const remove = () => {
      this.rows = this.rows.toSpliced(index, 1);
    };
    const of = (/** @type {any} */ event) => event.target.value;
    return html`<span class="pages">
      <input list="condition-fields" aria-label="Field ${number}" placeholder="/payload/amount" .value=${row.field} required maxlength="200" @change=${(/** @type {Event} */ event) => change({ field: of(event) })}>
      <select aria-label="Comparison ${number}" @change=${(/** @type {Event} */ event) => change({ is: of(event) })}>${COMPARISONS.map(
        (each) =>
          html`<option value=${each} ?selected=${each === row.is}>${each.replaceAll('_', ' ')}</option>`,
      )}</select>
      <input aria-label="Value ${number}" placeholder=${LISTS.includes(row.is) ? 'EUR, USD' : '100'} .value=${enteredOf(row.value)} required maxlength="2000" @change=${(/** @type {Event} */ event) => change({ entered: of(event) })}>
      <button type="button" class="small" aria-label="Remove condition ${number}" @click=${remove}>Remove</button>
    </span>`;
  }
}
customElements.define('condition-rows', ConditionRows);

/** A value as somebody enters it. @param {JsonText} value */
function enteredOf({ text }) {
  const value = JSON.parse(text);
  const texts = Array.isArray(value) ? value : [value];
  // As JSON where the parts of a list could not be told apart.
  if (texts.some((each) => typeof each === 'string' && /^[["]|,/.test(each))) return text;
  return Array.isArray(value) ? value.join(', ') : String(typeof value === 'string' ? value : text);
}

/** The value of a condition: text where its field or its comparison is of text, and else the number or word of JSON that it spells. @param {string} entered @param {string} is @param {string | undefined} type of the field @returns {JsonText} */
function meantBy(entered, is, type) {
  if (/^[["]/.test(entered) && isJson(entered)) return new JsonText(entered);
  const isText = OF_TEXT.includes(is) || (type === 'string' && !OF_NUMBERS.includes(is));
  const scalar = (/** @type {string} */ text) => (!isText && SCALAR.test(text) ? text : JSON.stringify(text));
  if (LISTS.includes(is) || (OF_TEXT.includes(is) && entered.includes(',')))
    return new JsonText(
      `[${entered
        .split(/\s*,\s*/)
        .map(scalar)
        .join(',')}]`,
    );
  return new JsonText(scalar(entered.trim()));
}

/** @param {string} text */
function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The fields of an input schema, by their paths, with their types. @param {any} schema @param {string} [path] @returns {import('./edits.js').Choice[]} */
export function pathsOf(schema, path = '') {
  if (schema.type === 'array') return pathsOf(schema.items ?? {}, `${path}/*`);
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length > 0)
    return properties.flatMap(([name, each]) =>
      pathsOf(each, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
    );
  return schema.type === 'object' ? [[`${path}/`, path, '']] : [[path, path, schema.type ?? '']];
}
