import { html, nothing } from 'lit';
import { call } from './api.js';
import { changesOf, fieldOf, valuesOf, withoutPasswords } from './fields.js';
import { asCurl, freshSignIn, LightElement, problem } from './page.js';
import { isFresh } from './sign-in.js';
import { reload } from './table.js';

/** @typedef {import('./fields.js').Field} Field */
/** @typedef {import('./fields.js').Values} Values */
/** @typedef {import('./fields.js').Options} Options */
/**
 * @typedef {object} FormOptions
 * @property {string} label of its button, which names the action
 * @property {Options} [buttons] in place of that one: the value of the one that was clicked is that of `button`
 * @property {Field[]} [fields]
 * @property {boolean} [isEdit] whether `request` and `isFresh` get the values that somebody changed alone; the form waits for a change
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
let entered = JSON.parse(globalThis.sessionStorage?.getItem(ENTERED) ?? '{}');
globalThis.sessionStorage?.removeItem(ENTERED);

/** The key of the last call that has one, until it is answered, and the body that it names. @type {{ path: string, body: string, key: string } | undefined} */
let pending;

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

  /** The values for the request. */
  get given() {
    const { isEdit = false, fields = [] } = this.options;
    return isEdit ? changesOf(fields, this.values) : this.values;
  }

  /** The call, with its key. */
  request() {
    const { request, keyName } = this.options;
    const asked = request(this.given);
    if (keyName === undefined) return asked;
    const body = JSON.stringify(asked.body);
    if (pending?.body !== body || pending.path !== asked.path)
      pending = { path: asked.path, body, key: crypto.randomUUID() };
    return { ...asked, body: { .../** @type {object} */ (asked.body), [keyName]: pending.key } };
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
      pending = undefined;
      entered = {};
      this.closest('dialog')?.close();
      done(answer);
    } catch (failure) {
      if (/** @type {any} */ (failure).isAnswer) pending = undefined;
      if (refused === undefined) this.failure = failure;
      else {
        refused(failure);
        this.closest('dialog')?.close();
      }
    }
    this.isBusy = false;
  }

  render() {
    const { label, fields = [], isFresh: needsFresh, isEdit = false, buttons = [['', label]] } = this.options;
    const { given } = this;
    const mustSignIn = needsFresh?.(given) === true && !isFresh();
    const isUnchanged = isEdit && Object.keys(given).length === 0;
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
          html`<button value=${value} ?disabled=${mustSignIn || this.isBusy || isUnchanged}>${text}</button>`,
      )}</p>
      ${isUnchanged ? nothing : asCurl(this.options.request(withoutPasswords(fields, given)))}
    </form>`;
  }
}
customElements.define('action-form', ActionForm);

/** A form that makes one call. @param {FormOptions} options */
export const actionForm = (options) => html`<action-form .options=${options}></action-form>`;

/** @typedef {FormOptions & { text: unknown }} DialogOptions `text` says what will happen */

/** A button that opens a dialog with such a form. The form is there while the dialog is open, so that it begins anew. */
class ActionDialog extends LightElement {
  static properties = {
    label: { attribute: false },
    options: { attribute: false },
    isOpen: { state: true },
    fetched: { state: true },
    failure: { state: true },
  };

  constructor() {
    super();
    this.label = '';
    /** @type {DialogOptions | (() => Promise<DialogOptions>)} */
    this.options = { text: '', label: '', request: () => ({ method: 'GET', path: '' }) };
    this.isOpen = false;
    /** The options, once they are known. @type {DialogOptions | undefined} */
    this.fetched = undefined;
    /** @type {unknown} */
    this.failure = undefined;
  }

  open = async () => {
    this.isOpen = true;
    this.failure = undefined;
    this.fetched = undefined;
    await this.updateComplete;
    this.querySelector('dialog')?.showModal();
    if (typeof this.options !== 'function') return;
    this.fetched = await this.options().catch((failure) => {
      this.failure = failure;
      return undefined;
    });
  };

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    if (!this.isOpen) super.updated(changed);
  }

  render() {
    const options = typeof this.options === 'function' ? this.fetched : this.options;
    const closed = () => {
      this.isOpen = false;
    };
    const close = () => this.querySelector('dialog')?.close();
    return html`<button type="button" @click=${this.open}>${this.label}</button>
      ${
        this.isOpen
          ? html`<dialog aria-label=${this.label} @close=${closed}>
        <h2>${this.label}</h2>
        ${options === undefined ? [problem(this.failure), this.failure ? nothing : html`<p>Loading …</p>`] : html`<div>${options.text}</div>${actionForm(options)}`}
        <button type="button" @click=${close}>Cancel</button>
      </dialog>`
          : nothing
      }`;
  }
}
customElements.define('action-dialog', ActionDialog);

/** A button that opens a dialog with such a form. @param {string} label @param {DialogOptions | (() => Promise<DialogOptions>)} options or a function that fetches them when somebody opens it */
export const actionDialog = (label, options) =>
  html`<action-dialog .label=${label} .options=${options}></action-dialog>`;

/** A form that puts its values into the address. @param {string} label @param {Field[]} fields @param {(values: Values) => void} done */
export function filterForm(label, fields, done) {
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    done(valuesOf(fields, new FormData(/** @type {HTMLFormElement} */ (event.target))));
  };
  return html`<form class="filters" @submit=${submit}>${fields.map(fieldOf)}<button>${label}</button></form>`;
}
