import { html, nothing } from 'lit';
import { elementWith } from './element.js';
import { actionForm, askedToSignIn } from './form.js';
import { problem } from './problem.js';
import { icon, loading } from './view.js';

/** @typedef {import('./form.js').FormOptions & { text: unknown }} DialogOptions `text` says what will happen */
/** @typedef {{ icon?: string, tone?: string }} DialogLook how its button looks: an icon, and a class */

/** A button that opens a dialog with a form. The form is there while the dialog is open, so that it begins anew. */
export class ActionDialog extends elementWith(() => ({
  label: '',
  /** @type {DialogOptions | (() => Promise<DialogOptions>)} */
  options: { text: '', label: '', request: () => ({ method: 'GET', path: '' }) },
  /** @type {DialogLook} */
  look: {},
  isOpen: false,
  /** The options, once they are known. @type {DialogOptions | undefined} */
  fetched: undefined,
  /** @type {unknown} */
  failure: undefined,
})) {
  /** Its name on the page: its label, and in a table its row. */
  get key() {
    const row = this.closest('tr')?.firstElementChild?.textContent ?? '';
    return `${row} ${this.label}`.replaceAll(/\s+/g, ' ');
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
    try {
      this.fetched = await this.options();
    } catch (failure) {
      this.failure = failure;
    }
  };

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    if (!this.isOpen) super.updated(changed);
  }

  render() {
    const { label, look } = this;
    return html`<button type="button" class=${look.tone ?? ''} @click=${this.open}>${look.icon ? icon(look.icon) : nothing}${label}</button>
      ${this.isOpen ? this.dialog() : nothing}`;
  }

  dialog() {
    const options = typeof this.options === 'function' ? this.fetched : this.options;
    const closed = () => {
      this.isOpen = false;
    };
    const waits = this.failure === undefined ? loading : problem(this.failure, [], this.open);
    return html`<dialog aria-label=${this.label} @close=${closed}><div>
      <h2>${this.label}</h2>
      ${options === undefined ? waits : html`<div>${options.text}</div>${actionForm(options)}`}
      <div><button type="button" class="quiet" @click=${() => this.querySelector('dialog')?.close()}>Cancel</button></div>
    </div></dialog>`;
  }
}
customElements.define('action-dialog', ActionDialog);

/**
 * A button that opens a dialog with a form.
 * @param {string} label
 * @param {DialogOptions | (() => Promise<DialogOptions>)} options or a function that fetches them when somebody opens it
 * @param {DialogLook} [look]
 */
export const actionDialog = (label, options, look = { tone: 'small' }) =>
  html`<action-dialog .label=${label} .options=${options} .look=${look}></action-dialog>`;
