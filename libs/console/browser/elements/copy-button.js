import { html, nothing } from 'lit';
import { elementWith } from './element.js';
import { icon } from './view.js';

/** A button that copies a text, and says that it did or that it could not. A button without a label is an icon. */
class CopyButton extends elementWith(() => ({ text: '', label: '', what: '', state: '' })) {
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
    const name = label || `Copy the ${this.what}`;
    return html`<button type="button" class=${label ? '' : 'copy'} aria-label=${name} title=${name} @click=${this.copy}>${icon(state === 'Copied' ? 'check' : 'copy')}${label}</button>
      <small role="status" class=${label || state.startsWith('Not') ? '' : 'unseen'}>${state || nothing}</small>`;
  }
}
customElements.define('copy-button', CopyButton);

/** A secret, which no page shows again. @param {string | undefined} secret @param {string} without says why there may be none */
export const secretOnce = (secret, without) =>
  secret === undefined
    ? html`<p>${without}</p>`
    : html`<p><strong>Keep this secret now:</strong> it is shown here and nowhere else.</p>
        <pre tabindex="0" class="secret">${secret}</pre>
        <p><copy-button .text=${secret} .label=${'Copy the secret'}></copy-button></p>`;
