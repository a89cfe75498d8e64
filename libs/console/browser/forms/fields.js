import { html, nothing } from 'lit';
import './choice-list.js';
import './condition-rows.js';
import { optionsView } from '../elements/view.js';
import { shown } from '../text/text.js';

/** @typedef {import('./edits.js').Field} Field */

/** A field with its fault. @param {Field} field @param {string} [fault] */
export function fieldOf(field, fault) {
  const { name, label, kind = 'text', value, hint, isRequired = false } = field;
  const about = hint === undefined ? nothing : html`<small>${hint}</small>`;
  const invalid = fault === undefined ? nothing : 'true';
  const why = fault === undefined ? nothing : html`<p class="field-problem" role="alert">${shown(fault)}</p>`;
  if (kind === 'choices') return html`<choice-list .field=${field}></choice-list>${why}`;
  if (kind === 'conditions') return html`<condition-rows .field=${field}></condition-rows>${why}`;
  if (kind === 'check')
    return html`<label><input type="checkbox" name=${name} ?checked=${value === true} aria-invalid=${invalid}> ${label} ${about}</label>${why}`;
  const isOptional = !isRequired && kind !== 'select';
  return html`<label><span>${label}${isOptional ? html` <small>(optional)</small>` : nothing}</span> ${about} ${controlOf(field, invalid)}</label>${why}`;
}

/** @param {Field} field @param {unknown} invalid */
function controlOf(field, invalid) {
  const { name, kind = 'text', options = [], suggestions, value, isRequired = false, longest = 2000 } = field;
  if (kind === 'select')
    return html`<select name=${name} aria-invalid=${invalid} ?required=${isRequired}>${optionsView(options, value)}</select>`;
  if (kind === 'area')
    return html`<textarea name=${name} aria-invalid=${invalid} spellcheck="false" maxlength=${field.longest ?? nothing} .defaultValue=${value ?? ''} ?required=${isRequired}></textarea>`;
  const type = kind === 'time' ? 'datetime-local' : kind;
  const list = `${name}-suggestions`;
  return html`<input name=${name} type=${type} list=${suggestions ? list : nothing} aria-invalid=${invalid} maxlength=${longest}
    .defaultValue=${kind === 'time' ? localInput(value) : (value ?? '')} autocomplete="off" spellcheck="false" ?required=${isRequired}>
    ${suggestions ? html`<datalist id=${list}>${suggestions.map(([each, text]) => html`<option value=${each}>${text}</option>`)}</datalist>` : nothing}`;
}

/** A time as the field of a form has it: in the reader's time zone, to the minute. @param {string | undefined} time */
function localInput(time) {
  if (!time || Number.isNaN(Date.parse(time))) return '';
  const at = new Date(time);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** A field of text. @param {string} name @param {string} label @param {Partial<Field>} [more] @returns {Field} */
export const field = (name, label, more) => ({ name, label, ...more });

/** One of some options. @param {string} name @param {string} label @param {import('./edits.js').Options} options @param {string} [value] @returns {Field} */
export const select = (name, label, options, value) => ({ name, label, kind: 'select', options, value });

/** A box to tick. @param {string} name @param {string} label @param {boolean} [value] @returns {Field} */
export const check = (name, label, value) => ({ name, label, kind: 'check', value });

/** Any of some choices, each a box to tick. @param {string} name @param {string} label @param {NonNullable<Field['choices']>} choices @param {Partial<Field>} [more] @returns {Field} */
export const choices = (name, label, choices, more) => ({ name, label, kind: 'choices', choices, ...more });
