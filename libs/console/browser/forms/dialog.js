import { html, nothing } from 'lit';
import { elementWith } from '../elements/element.js';
import { problem } from '../elements/problem.js';
import { icon, loading } from '../elements/view.js';
import { actionForm, askedToSignIn, forget } from './form.js';

/** A form, and above it what will happen. @typedef {import('./form.js').FormOptions & { text: unknown }} Content */
/** The button that opens a dialog: its words, an icon and a class. @typedef {{ opens: string, icon?: string, tone?: '' | 'primary' | 'danger' }} Opener */
/** A dialog with its content, or with a function that fetches the content when somebody opens it. @typedef {Opener & (Content | { fetch: () => Promise<Content> })} Dialog */

/** A button that opens a dialog with a form. The form is there while the dialog is open, so that it begins anew. */
export class ActionDialog extends elementWith(() => ({
  /** @type {Dialog} */
  options: { opens: '', text: '', label: '', request: () => ({ method: 'GET', path: '' }) },
  isOpen: false,
  /** Whether the form of the dialog waits for its answer. */
  isBusy: false,
  /** @type {Content | undefined} */
  fetched: undefined,
  /** @type {unknown} */
  failure: undefined,
})) {
  /** The name of the dialog on the page: the words of its button, and in a table the id of its row. */
  get key() {
    return `${this.closest('tr')?.dataset.id ?? ''} ${this.options.opens}`;
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
    if (!('fetch' in this.options)) return;
    try {
      this.fetched = await this.options.fetch();
    } catch (failure) {
      this.failure = failure;
    }
  };

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    if (!this.isOpen) super.updated(changed);
  }

  render() {
    const { opens, tone = '', icon: image = tone === 'primary' ? 'plus' : '' } = this.options;
    return html`<button type="button" class=${tone} @click=${this.open}>${image ? icon(image) : nothing}${opens}</button>
      ${this.isOpen ? this.dialog() : nothing}`;
  }

  dialog() {
    const { options } = this;
    const content = 'fetch' in options ? this.fetched : options;
    const closed = () => {
      forget(this.key);
      Object.assign(this, { isOpen: false, isBusy: false });
    };
    const stay = (/** @type {Event} */ event) => this.isBusy && event.preventDefault();
    const waits = this.failure === undefined ? loading : problem(this.failure, [], this.open);
    return html`<dialog aria-label=${options.opens} @close=${closed} closedby=${this.isBusy ? 'none' : nothing} @cancel=${stay}><div>
      <h2>${options.opens}</h2>
      ${content === undefined ? waits : html`<div>${content.text}</div>${actionForm(content)}`}
      <div><button type="button" class="quiet" ?disabled=${this.isBusy} @click=${() => this.querySelector('dialog')?.close()}>Cancel</button></div>
    </div></dialog>`;
  }
}
customElements.define('action-dialog', ActionDialog);

/** A button that opens a dialog with a form. @param {Dialog} options */
export const actionDialog = (options) => html`<action-dialog .options=${options}></action-dialog>`;
