import { html, LitElement, nothing } from 'lit';
import { Refusal } from './api.js';
import { isFresh, signIn, token } from './sign-in.js';

/** A page: it loads, and shows why that, or a step of the Member, failed. It is in the light DOM, for the one style sheet. */
export class Page extends LitElement {
  /** @override */
  static properties = { loaded: { state: true }, failure: { state: true } };

  constructor() {
    super();
    /** The part of the address that names what the page shows. */
    this.name = '';
    /** The data of the page, once loaded. @type {any} */
    this.loaded = undefined;
    /** @type {unknown} */
    this.failure = undefined;
  }

  /** @override */
  createRenderRoot() {
    return this;
  }

  /** @override */
  connectedCallback() {
    super.connectedCallback();
    this.attempt(() => this.load());
  }

  /** Fetches what the page shows. */
  async load() {}

  /** Shows what was loaded. @returns {unknown} */
  content() {
    return nothing;
  }

  /** Takes a step, and shows its failure. @param {() => Promise<void>} step */
  async attempt(step) {
    this.failure = undefined;
    await step().catch((failure) => {
      this.failure = failure;
    });
    this.requestUpdate();
  }

  /** @override */
  render() {
    const waits = this.failure === undefined ? html`<p>Loading …</p>` : nothing;
    return [problem(this.failure), this.loaded === undefined ? waits : this.content()];
  }
}

/** Why something failed, and what to do. @param {unknown} failure */
export function problem(failure) {
  if (failure === undefined) return nothing;
  const isRefusal = failure instanceof Refusal;
  return html`<div role="alert" class="problem">
    <p><strong>${failure instanceof Error ? failure.message : String(failure)}</strong></p>
    ${isRefusal ? html`<p>${failure.next}</p><p><small>Request ${failure.requestId}</small></p>` : nothing}
    ${token() === undefined || (isRefusal && /token/.test(failure.code)) ? signInButton('Sign in') : nothing}
  </div>`;
}

/** The button for a fresh sign-in, which a page shows before a decision of a person. */
export function freshSignIn() {
  if (isFresh()) return nothing;
  return html`<p>This takes a sign-in of the last minutes, and yours is older. You return to this page afterwards.</p>
    ${signInButton('Sign in again', { fresh: true })}`;
}

/** @param {string} label @param {{ fresh?: boolean }} [needed] */
const signInButton = (label, needed) =>
  html`<button type="button" @click=${() => signIn(needed)}>${label}</button>`;

/** A time of the platform, as the reader's place writes it. @param {string} time */
export const localTime = (time) => html`<time datetime=${time}>${new Date(time).toLocaleString()}</time>`;

/** A list of names and values; one without a value is left out. @param {readonly (readonly [string, unknown])[]} facts */
export const factList = (facts) =>
  html`<dl>
    ${facts
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>`;
