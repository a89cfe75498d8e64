import { html, nothing } from 'lit';
import { elementWith } from '../elements/element.js';
import { freshSignIn, problem } from '../elements/problem.js';
import { reload } from '../elements/table.js';
import { asCurl, callout } from '../elements/view.js';
import { call, Refusal } from '../platform/api.js';
import { keep, take } from '../platform/kept.js';
import { isFresh } from '../platform/sign-in.js';
import { problemsOf } from '../text/field-problems.js';
import { changesOf, valuesOf, withoutPasswords } from './edits.js';
import { fieldOf } from './fields.js';

/** @typedef {import('./edits.js').Field} Field */
/** @typedef {import('./edits.js').Values} Values */
/**
 * @typedef {object} FormOptions
 * @property {string} label of its button, which names the action
 * @property {readonly (readonly [value: string, text: unknown, look: string])[]} [buttons] in place of that one: the value of the one that was clicked is that of `button`
 * @property {'' | 'primary' | 'danger'} [tone] the class of its button, and of the one that opens its dialog; `primary` by default for a
 * form
 * @property {Field[]} [fields]
 * @property {(values: Values) => unknown} [preview] says what the values would do
 * @property {boolean} [isEdit] whether `request` and `isFresh` get the values that somebody changed alone; the form waits for a change
 * @property {(values: Values) => import('../platform/api.js').Request} request
 * @property {(answer: any) => void} [done] gets the answer; by default the listings of the page are fetched again
 * @property {(failure: any, request: import('../platform/api.js').Request) => Promise<boolean | void>} [refused] what else happens after a refusal; true when the form closes, and does not show the refusal
 * @property {unknown} [version] the version of what the form changes; after a sign-in the form says when another one is there
 * @property {string} [keyName] the member of the body that names the call; the form fills it
 * @property {(values: Values) => boolean} [isFresh] whether the call takes a fresh sign-in
 * @property {boolean} [isRepeatable] whether a call without an answer is repeated; true by default
 * @property {(text: string) => any} [parse] reads the answer
 * @property {(request: import('../platform/api.js').Request) => Promise<void>} [send] sends the call in place of the form, and shows its answer
 */

/** The name under which the tab keeps the values of a form while the browser is at the issuer. */
const ENTERED = 'console-entered';

/** The values of the form that asked for the last sign-in, until the form is sent or its dialog closes. @type {{ path?: string, dialog?: string | undefined, label?: string, version?: any, values?: Values }} */
let entered = take(ENTERED) ?? {};

/** The key of the last call that has one, until it is answered, and the body that it names. @type {{ path: string, body: string, key: string } | undefined} */
let pending;

/** The address of this page, with its query: the consent of each program is another page. */
const present = () => location.pathname + location.search;

/** Whether a dialog of this page asked for the last sign-in. @param {string} dialog */
export const askedToSignIn = (dialog) => entered.path === present() && entered.dialog === dialog;

/** The version that the form had that asked for the last sign-in on this page. */
export const keptVersion = () => (entered.path === present() ? entered.version : undefined);

/** Drops a change of another version than the present one, and has the page say so. @param {{ failure: unknown }} page @param {unknown} version */
export function dropOvertaken(page, version) {
  if ([undefined, version].includes(keptVersion())) return;
  entered = {};
  const message = 'Somebody else changed this during your sign-in, so nothing was sent.';
  page.failure = new Refusal({ code: 'overtaken', message, next: 'Read it again, and begin anew.' }, true);
}

/** Drops the values of a dialog that closes. @param {string} dialog */
export function forget(dialog) {
  if (askedToSignIn(dialog)) entered = {};
}

/** A form that makes one call, shows the call as a command and its failure, and waits for the answer before it takes another click. */
class ActionForm extends elementWith(() => ({
  /** @type {FormOptions} */
  options: { label: '', request: () => ({ method: 'GET', path: '' }) },
  /** @type {Values} */
  values: {},
  isBusy: false,
  /** @type {unknown} */
  failure: undefined,
})) {
  /** The value of the button that was clicked. */
  button = '';

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    super.updated(changed);
    if (changed.has('options')) this.readValues();
    if (this.dialog) this.dialog.isBusy = this.isBusy;
  }

  get fields() {
    return this.options.fields ?? [];
  }

  get dialog() {
    return /** @type {import('./dialog.js').ActionDialog | null} */ (this.closest('action-dialog'));
  }

  /** Whether the form asked for the last sign-in, and has its values. */
  get isKept() {
    const { path, label, dialog } = entered;
    return path === present() && label === this.options.label && dialog === this.dialog?.key;
  }

  /** The values for the request. */
  get given() {
    return this.options.isEdit ? changesOf(this.fields, this.values) : this.values;
  }

  /** Whether nothing of an edit was changed, so that there is nothing to send. */
  get isUnchanged() {
    return this.options.isEdit === true && Object.keys(this.given).length === 0;
  }

  readValues() {
    const form = /** @type {HTMLFormElement} */ (this.querySelector('form'));
    this.values = valuesOf(this.fields, new FormData(form));
  }

  /** Keeps what was entered, and of an edit what was changed, but for passwords, until the browser returns to this page. */
  keep() {
    const { label, version } = this.options;
    const values = withoutPasswords(this.fields, this.given);
    keep(ENTERED, { path: present(), dialog: this.dialog?.key, label, version, values });
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
    const { isBusy } = this;
    if (isBusy) return;
    this.readValues();
    if (this.isUnchanged) return;
    // A repetition after a failure is sent without a button.
    this.button = /** @type {HTMLButtonElement | null} */ (event.submitter)?.value ?? this.button;
    this.values = { ...this.values, ...(this.button && { button: this.button }) };
    const { parse, isRepeatable = true, send, done = reload, refused } = this.options;
    const page = this.closest('main > *');
    const request = this.request();
    this.isBusy = true;
    this.failure = undefined;
    try {
      const answer = await (send?.(request) ?? call(request, { isRepeatable, ...(parse && { parse }) }));
      pending = undefined;
      entered = {};
      if (send !== undefined) return;
      this.closest('dialog')?.close();
      // The Member may have left the page meanwhile.
      if (page?.isConnected !== false) done(answer);
    } catch (failure) {
      if (/** @type {any} */ (failure).isAnswer) pending = undefined;
      if (await refused?.(failure, request)) this.closest('dialog')?.close();
      else await this.tell(failure);
    } finally {
      this.isBusy = false;
    }
  }

  /** Shows a failure, and goes to the first field that is at fault. @param {unknown} failure */
  async tell(failure) {
    this.failure = failure;
    await this.updateComplete;
    const faulty = this.querySelector('.field-problem')?.closest('[data-field]');
    const control = faulty?.querySelector(':is(input:not([type=hidden]), select, textarea)');
    /** @type {HTMLElement | null} */ (control ?? null)?.focus();
  }

  /** @param {Field} field @param {string | undefined} fault */
  field(field, fault) {
    const isHidden = field.isShown?.(this.values) === false;
    const { values = {} } = entered;
    // An edit keeps what was changed alone, so that all else is as it is after the sign-in.
    const isEntered = this.isKept && (!this.options.isEdit || field.name in values);
    const value = isEntered && field.kind !== 'password' ? values[field.name] : field.value;
    return html`${field.step && !isHidden ? html`<h3>${field.step}</h3>` : nothing}
      <fieldset data-field=${field.name} ?hidden=${isHidden} ?disabled=${isHidden}>${fieldOf({ ...field, value }, fault)}</fieldset>`;
  }

  render() {
    const { label, request, isFresh: needsFresh, tone, preview } = this.options;
    const { buttons = [['', label, tone || 'primary']] } = this.options;
    const { given, fields, isBusy, isUnchanged } = this;
    const mustSignIn = needsFresh?.(given) === true && !isFresh();
    // The whole form shows the fault of a hidden field.
    const seen = fields.filter(({ isShown }) => isShown?.(this.values) !== false);
    const { byName } = problemsOf(this.failure, seen);
    const keepValues = () => this.keep();
    const again = () => this.querySelector('form')?.requestSubmit();
    const isOvertaken = this.isKept && entered.version !== this.options.version;
    const overtaken = html`<p>What you have entered replaces their change.</p>`;
    return html`<form @submit=${this.submit} @input=${this.readValues}>
      ${isOvertaken ? callout('Somebody else changed this during your sign-in', overtaken) : nothing}
      ${fields.map((field) => this.field(field, byName[field.name]))}
      ${preview ? html`<p role="status">${preview(this.values)}</p>` : nothing}
      ${problem(this.failure, seen, again, keepValues)} ${mustSignIn ? freshSignIn(keepValues) : nothing}
      <div class="pages">${buttons.map(
        ([value, text, each]) =>
          html`<button class=${each} value=${value} ?disabled=${mustSignIn || isBusy || isUnchanged}>${text}</button>`,
      )}${isBusy ? html`<small role="status">Sending …</small>` : nothing}</div>
      ${isUnchanged ? nothing : asCurl(request(withoutPasswords(fields, given)))}
    </form>`;
  }
}
customElements.define('action-form', ActionForm);

/** A form that makes one call. @param {FormOptions} options */
export const actionForm = (options) => html`<action-form .options=${options}></action-form>`;

/** A form that gives its values to a function. @param {string} label @param {Field[]} fields @param {(values: Values) => void} done */
export function filterForm(label, fields, done) {
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    done(valuesOf(fields, new FormData(/** @type {HTMLFormElement} */ (event.target))));
  };
  return html`<form class="filters" novalidate @submit=${submit}>${fields.map((each) => fieldOf({ isRequired: true, ...each }))}<button class="small">${label}</button></form>`;
}
