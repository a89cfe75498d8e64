import { html, LitElement, nothing } from 'lit';
import { settings } from './settings.js';

/** A button that copies a text, and says that it did or that it could not. */
class CopyButton extends LitElement {
  static properties = {
    text: { attribute: false },
    label: { attribute: false },
    what: { attribute: false },
    state: { state: true },
  };

  constructor() {
    super();
    this.text = '';
    /** The words of the button; without them it is an icon. */
    this.label = '';
    this.what = '';
    /** @type {'' | 'Copied' | 'Not copied: select it and copy it yourself'} */
    this.state = '';
  }

  createRenderRoot() {
    return this;
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.text);
      this.state = 'Copied';
      this.dispatchEvent(new Event('copied', { bubbles: true }));
    } catch {
      this.state = 'Not copied: select it and copy it yourself';
    }
  }

  render() {
    const { label, state } = this;
    const name = state === 'Copied' ? 'check' : 'copy';
    return html`<button type="button" class=${label ? '' : 'copy'} aria-label=${label || `Copy the ${this.what}`} title=${label || `Copy the ${this.what}`}
      @click=${this.copy}><svg class="icon" aria-hidden="true"><use href="${settings.icons}#${name}"></use></svg>${label}</button>
      <small role="status" class=${label || state.startsWith('Not') ? '' : 'unseen'}>${state || nothing}</small>`;
  }
}
customElements.define('copy-button', CopyButton);
