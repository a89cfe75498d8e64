import { html, nothing } from 'lit';
import { call } from './api.js';
import { asCurl, freshSignIn, LightElement, problem } from './page.js';
import { isFresh } from './sign-in.js';
import { reload } from './table.js';
import { shown } from './text.js';

/** @typedef {Record<string, any>} Values */
/** @typedef {readonly (readonly [value: string, label: unknown])[]} Options */
/**
 * A field of a form, by its kind, `text` by default; `choices` are boxes to tick.
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
 */
/**
 * @typedef {object} FormOptions
 * @property {string} label of its button, which names the action
 * @property {Options} [buttons] in place of that one: the value of the one that was clicked is that of `button`
 * @property {Field[]} [fields]
 * @property {(values: Values) => import('./api.js').Request} request
 * @property {(answer: any) => void} [done] gets the answer; by default the listings of the page are fetched again
 * @property {(failure: any) => void} [refused] shows the refusal, in place of the form
 * @property {string} [keyName] the member of the body that names the call; the form fills it
 * @property {(values: Values) => boolean} [isFresh] whether the call takes a fresh sign-in
 * @property {boolean} [isRepeatable] whether a call without an answer is repeated; it is by default
 * @property {(text: string) => any} [parse] reads the answer
 * @property {string | undefined} [token] to call with in place of the Member's
 */

/** Where the values of a form are kept while the browser is at the issuer for a fresh sign-in. */
const ENTERED = 'console-entered';

/** The values of the form that asked for the last fresh sign-in, until it is sent. @type {{ path?: string, label?: string, values?: Values }} */
let entered = JSON.parse(sessionStorage.getItem(ENTERED) ?? '{}');
sessionStorage.removeItem(ENTERED);

/** A form that makes one call: it shows the call as a command, its failure, and waits for the answer before it takes another click. */
class ActionForm extends LightElement {
  static properties = {
    options: { attribute: false },
    values: { state: true },
    isBusy: { state: true },
    failure: { state: true },
  };

  constructor() {
    super();
    /** @type {FormOptions} */
    this.options = { label: '', request: () => ({ method: 'GET', path: '' }) };
    /** @type {Values} */
    this.values = {};
    this.isBusy = false;
    /** @type {unknown} */
    this.failure = undefined;
    /** The key of this call, until it is answered, and the body that it names. @type {{ body: string, key: string } | undefined} */
    this.pending = undefined;
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    super.updated(changed);
    if (changed.has('options')) this.readValues();
  }

  readValues() {
    const form = /** @type {HTMLFormElement} */ (this.querySelector('form'));
    this.values = valuesOf(this.options.fields ?? [], new FormData(form));
  }

  /** Keeps what was entered, but for passwords, until the browser comes back to this page. */
  keep() {
    const { label, fields = [] } = this.options;
    const values = withoutPasswords(fields, this.values);
    sessionStorage.setItem(ENTERED, JSON.stringify({ path: location.pathname, label, values }));
  }

  /** Begins anew, once the fields have their first values again. */
  begin() {
    this.failure = undefined;
    setTimeout(() => this.readValues());
  }

  /** The call, with its key. */
  request() {
    const { request, keyName } = this.options;
    const asked = request(this.values);
    if (keyName === undefined) return asked;
    const body = JSON.stringify(asked.body);
    if (this.pending?.body !== body) this.pending = { body, key: crypto.randomUUID() };
    return { ...asked, body: { .../** @type {object} */ (asked.body), [keyName]: this.pending.key } };
  }

  /** @param {SubmitEvent} event */
  async submit(event) {
    event.preventDefault();
    if (this.isBusy) return;
    this.readValues();
    const { value } = /** @type {HTMLButtonElement} */ (event.submitter);
    this.values = { ...this.values, ...(value && { button: value }) };
    const { parse, isRepeatable = true, token, done = reload, refused } = this.options;
    this.isBusy = true;
    this.failure = undefined;
    try {
      const answer = await call(this.request(), { isRepeatable, token, ...(parse && { parse }) });
      this.pending = undefined;
      entered = {};
      this.closest('dialog')?.close();
      done(answer);
    } catch (failure) {
      if (/** @type {any} */ (failure).isAnswer) this.pending = undefined;
      if (refused === undefined) this.failure = failure;
      else {
        refused(failure);
        this.closest('dialog')?.close();
      }
    }
    this.isBusy = false;
  }

  render() {
    const { label, fields = [], isFresh: needsFresh, buttons = [['', label]] } = this.options;
    const mustSignIn = needsFresh?.(this.values) === true && !isFresh();
    const isKept = entered.path === location.pathname && entered.label === label;
    return html`<form @submit=${this.submit} @input=${this.readValues} @reset=${this.begin}>
      ${fields.map((field) => {
        const isOff = field.isShown?.(this.values) === false;
        const value = isKept && field.kind !== 'password' ? entered.values?.[field.name] : field.value;
        return html`<fieldset class="plain" ?hidden=${isOff} ?disabled=${isOff}>${fieldOf({ ...field, value })}</fieldset>`;
      })}
      ${problem(this.failure, fields)} ${mustSignIn ? freshSignIn(() => this.keep()) : nothing}
      <p class="pages">${buttons.map(
        ([value, text]) =>
          html`<button value=${value} ?disabled=${mustSignIn || this.isBusy}>${text}</button>`,
      )}</p>
      ${asCurl(this.options.request(withoutPasswords(fields, this.values)))}
    </form>`;
  }
}
customElements.define('action-form', ActionForm);

/** A form that makes one call. @param {FormOptions} options */
export const actionForm = (options) => html`<action-form .options=${options}></action-form>`;

/** @typedef {FormOptions & { text: unknown }} DialogOptions `text` says what will happen */

/** A button that opens a dialog with such a form. @param {string} label @param {DialogOptions} options */
export function actionDialog(label, { text, ...options }) {
  const open = (/** @type {any} */ { currentTarget }) => currentTarget.nextElementSibling.showModal();
  const close = (/** @type {any} */ { currentTarget }) => currentTarget.closest('dialog').close();
  // A dialog that opens again begins anew.
  const reset = (/** @type {any} */ { currentTarget }) => currentTarget.querySelector('form').reset();
  return html`<button type="button" @click=${open}>${label}</button>
    <dialog aria-label=${label} @close=${reset}>
      <h2>${label}</h2>
      <p>${text}</p>
      ${actionForm(options)}
      <button type="button" @click=${close}>Cancel</button>
    </dialog>`;
}

/** A form that puts its values into the address. @param {string} label @param {Field[]} fields @param {(values: Values) => void} done */
export function filterForm(label, fields, done) {
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    done(valuesOf(fields, new FormData(/** @type {HTMLFormElement} */ (event.target))));
  };
  return html`<form class="filters" @submit=${submit}>${fields.map(fieldOf)}<button>${label}</button></form>`;
}

/** The values of a form; a field that is empty, or not shown, has none. @param {Field[]} fields @param {FormData} data @returns {Values} */
function valuesOf(fields, data) {
  /** @param {Field} field */
  const entered = ({ name, kind }) => {
    const values = /** @type {string[]} */ (data.getAll(name)).filter((value) => value !== '');
    const [value] = values;
    if (kind === 'check') return value !== undefined;
    if (kind === 'choices' || value === undefined) return kind === 'choices' ? values : undefined;
    if (kind === 'number') return Number(value);
    return kind === 'time' ? new Date(value).toISOString() : value;
  };
  const values = fields.map((field) => [field.name, entered(field)]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** Values whose passwords are left out. @param {Field[]} fields @param {Values} values @returns {Values} */
function withoutPasswords(fields, values) {
  const hidden = fields.filter(({ name, kind }) => kind === 'password' && values[name] !== undefined);
  return { ...values, ...Object.fromEntries(hidden.map(({ name }) => [name, '…'])) };
}

/** @param {Field} field */
function fieldOf({ name, label, kind = 'text', options = [], value, hint, isRequired = false, longest }) {
  const about = hint === undefined ? nothing : html`<small>${hint}</small>`;
  if (kind === 'choices')
    return html`<fieldset><legend>${label}</legend>${about}
      <div class="choices" role="group" tabindex="0" aria-label=${label}>${options.map(
        ([each, title]) =>
          html`<label><input type="checkbox" name=${name} value=${each} ?checked=${value?.includes(each)}> ${title}</label>`,
      )}</div></fieldset>`;
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

/** Collections to choose from. @param {string} label @param {{ id: string, name: string }[]} collections @param {Partial<Field>} [more] */
export const collectionChoices = (label, collections, more) =>
  choices('collectionIds', label, collections, ({ id, name }) => [id, shown(name)], more);

/** Any of some options, each a box to tick. @param {string} name @param {string} label @param {any[]} rows @param {(row: any) => readonly [value: string, label: unknown]} optionOf @param {Partial<Field>} [more] @returns {Field} */
export const choices = (name, label, rows, optionOf, more) => ({
  name,
  label,
  kind: 'choices',
  options: rows.map(optionOf),
  ...more,
});
