import { html, nothing } from 'lit';
import './choice-list.js';
import { shown } from './text.js';

/** @typedef {Record<string, any>} Values */
/** @typedef {readonly (readonly [value: string, label: unknown])[]} Options */
/** @typedef {readonly [value: string, label: string, detail?: string]} Choice */
/**
 * A field of a form, by its kind, `text` by default.
 *
 * @typedef {object} Field
 * @property {string} name
 * @property {string} label
 * @property {'text' | 'area' | 'number' | 'check' | 'select' | 'choices' | 'time' | 'password'} [kind]
 * @property {Options} [options]
 * @property {any} [value]
 * @property {string | undefined} [hint]
 * @property {boolean} [isRequired]
 * @property {number} [longest]
 * @property {(values: Values) => boolean} [isShown]
 * @property {readonly Choice[] | (() => Promise<readonly Choice[]>)} [choices] the boxes to tick of `choices`, or a function that fetches them all
 * @property {string} [all] the label of a choice of its own, whose value is null: all of them, and those to come
 */

/** The values of a form; a field that is empty, or not shown, has none. @param {readonly Field[]} fields @param {FormData} data @returns {Values} */
export function valuesOf(fields, data) {
  /** @param {Field} field */
  const entered = ({ name, kind }) => {
    const values = /** @type {string[]} */ (data.getAll(name)).filter((value) => value !== '');
    const [value] = values;
    if (kind === 'check') return value !== undefined;
    if (kind === 'choices') return data.get(`${name}:all`) === 'all' ? null : values;
    if (kind === 'number') return value && Number(value);
    return kind === 'time' && value ? new Date(value).toISOString() : value;
  };
  const values = fields.map((field) => [field.name, entered(field)]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/**
 * The values that somebody changed, for a request that leaves all others as they are. A text that was emptied is null; a field that
 * is not shown was not changed.
 * @param {readonly Field[]} fields with the values from before
 * @param {Values} values
 * @returns {Values}
 */
export function changesOf(fields, values) {
  const isShown = (/** @type {Field} */ field) => field.isShown?.(values) !== false;
  const pairs = fields
    .filter(isShown)
    .map((field) => [field.name, values[field.name] ?? null, formerOf(field)]);
  return Object.fromEntries(
    pairs
      .filter(([, value, former]) => JSON.stringify(comparable(value)) !== JSON.stringify(comparable(former)))
      .map(([name, value]) => [name, value]),
  );
}

/** The value of a field before somebody changed it, in the form of `valuesOf`. @param {Field} field */
function formerOf({ kind, value, all, options = [] }) {
  if (kind === 'check') return value === true;
  if (kind === 'choices') return value ?? (all === undefined ? [] : null);
  if (kind === 'select') return (value ?? options[0]?.[0]) || null;
  if (kind === 'number') return value ? Number(value) : null;
  return value || null;
}

/** The order of choices does not count. @param {unknown} value */
const comparable = (value) => (Array.isArray(value) ? value.toSorted() : value);

/** Values without those that are null, such as the choice of all in a request that makes something. @param {Values} values @returns {Values} */
export const withoutNull = (values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

/** Values whose passwords are left out. @param {readonly Field[]} fields @param {Values} values @returns {Values} */
export function withoutPasswords(fields, values) {
  const hidden = fields.filter(({ name, kind }) => kind === 'password' && values[name] !== undefined);
  return { ...values, ...Object.fromEntries(hidden.map(({ name }) => [name, '…'])) };
}

/** @param {Field} field */
export function fieldOf(field) {
  const { name, label, kind = 'text', options = [], value, hint, isRequired = false, longest } = field;
  const about = hint === undefined ? nothing : html`<small>${hint}</small>`;
  if (kind === 'choices') return html`<choice-list .field=${field}></choice-list>`;
  if (kind === 'check')
    return html`<label><input type="checkbox" name=${name} ?checked=${value === true}> ${label} ${about}</label>`;
  return html`<label>${label} ${about} ${inputOf()}</label>`;

  function inputOf() {
    if (kind === 'select')
      return html`<select name=${name} ?required=${isRequired}>${options.map(
        ([each, title]) => html`<option value=${each} ?selected=${value === each}>${title}</option>`,
      )}</select>`;
    if (kind === 'area')
      return html`<textarea name=${name} spellcheck="false" .defaultValue=${value ?? ''} ?required=${isRequired}></textarea>`;
    const type = { time: 'datetime-local', password: 'password', number: 'number' }[
      /** @type {string} */ (kind)
    ];
    return html`<input name=${name} type=${type ?? 'text'} .defaultValue=${value ?? ''} maxlength=${longest ?? 2000}
      autocomplete="off" spellcheck="false" ?required=${isRequired}>`;
  }
}

/** Options of a select that have themselves as labels. @param {readonly string[]} values @param {string} [any] label of the empty one */
export const optionsOf = (values, any) => [
  ...(any === undefined ? [] : [/** @type {const} */ (['', any])]),
  ...values.map((value) => /** @type {const} */ ([value, shown(value)])),
];

/** A field of text. @param {string} name @param {string} label @param {Partial<Field>} [more] @returns {Field} */
export const field = (name, label, more) => ({ name, label, ...more });

/** One of some options. @param {string} name @param {string} label @param {Options} options @param {string} [value] @returns {Field} */
export const select = (name, label, options, value) => ({ name, label, kind: 'select', options, value });

/** A box to tick. @param {string} name @param {string} label @param {boolean} [value] @returns {Field} */
export const check = (name, label, value) => ({ name, label, kind: 'check', value });

/** Any of some choices, each a box to tick. @param {string} name @param {string} label @param {NonNullable<Field['choices']>} choices @param {Partial<Field>} [more] @returns {Field} */
export const choices = (name, label, choices, more) => ({ name, label, kind: 'choices', choices, ...more });
