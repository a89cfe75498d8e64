import { html, nothing } from 'lit';
import { actionForm, askedToSignIn } from './form.js';
import { LightElement, problem } from './page.js';
import { icon } from './view.js';

/** @typedef {import('./form.js').FormOptions & { text: unknown }} DialogOptions `text` says what will happen */

/** A button that opens a dialog with a form. The form is there while the dialog is open, so that it begins anew. */
export class ActionDialog extends LightElement {
  static properties = {
    label: { attribute: false },
    options: { attribute: false },
    look: { attribute: false },
    isOpen: { state: true },
    fetched: { state: true },
    failure: { state: true },
  };

  constructor() {
    super();
    this.label = '';
    /** @type {DialogOptions | (() => Promise<DialogOptions>)} */
    this.options = { text: '', label: '', request: () => ({ method: 'GET', path: '' }) };
    /** @type {DialogLook} */
    this.look = {};
    this.isOpen = false;
    /** The options, once they are known. @type {DialogOptions | undefined} */
    this.fetched = undefined;
    /** @type {unknown} */
    this.failure = undefined;
  }

  /** Its name on the page: its label, and in a table its row. */
  get key() {
    return `${this.closest('tr')?.firstElementChild?.textContent ?? ''} ${this.label}`.replaceAll(
      /\s+/g,
      ' ',
    );
  }

  /** After a fresh sign-in the dialog that asked for it is open again. */
  firstUpdated() {
    if (askedToSignIn(this.key)) this.open();
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
    const { label, look } = this;
    const options = typeof this.options === 'function' ? this.fetched : this.options;
    const closed = () => {
      this.isOpen = false;
    };
    const close = () => this.querySelector('dialog')?.close();
    const waits = this.failure === undefined ? html`<p>Loading …</p>` : problem(this.failure, [], this.open);
    return html`<button type="button" class=${look.tone ?? ''} @click=${this.open}>${look.icon ? icon(look.icon) : nothing}${label}</button>
      ${
        this.isOpen
          ? html`<dialog aria-label=${label} @close=${closed}><div>
        <h2>${label}</h2>
        ${options === undefined ? waits : html`<div>${options.text}</div>${actionForm(options)}`}
        <div><button type="button" class="quiet" @click=${close}>Cancel</button></div>
      </div></dialog>`
          : nothing
      }`;
  }
}
customElements.define('action-dialog', ActionDialog);

/** @typedef {{ icon?: string, tone?: string }} DialogLook how its button looks: an icon, and a class */

/**
 * A button that opens a dialog with a form.
 * @param {string} label
 * @param {DialogOptions | (() => Promise<DialogOptions>)} options or a function that fetches them when somebody opens it
 * @param {DialogLook} [look]
 */
export const actionDialog = (label, options, look = { tone: 'small' }) =>
  html`<action-dialog .label=${label} .options=${options} .look=${look}></action-dialog>`;
