import { html, LitElement, nothing } from 'lit';
import { curlOf, Refusal } from './api.js';
import { isFresh, isSignedIn, signIn } from './sign-in.js';
import { shown, withoutHidden } from './text.js';

/** @typedef {import('./api.js').Request} Request */

/** A page: it loads, and shows why that, or a step of the Member, failed. It is in the light DOM, for the one style sheet. */
export class Page extends LitElement {
  /** @override */
  static properties = { loaded: { state: true }, failure: { state: true } };

  constructor() {
    super();
    /** The parts of the address that name what the page shows. @type {string[]} */
    this.names = [];
    /** The query of the address. */
    this.query = new URLSearchParams(location.search);
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
  async load() {
    this.loaded = null;
  }

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

/** Goes to another page of the console. @param {string} address */
export function go(address) {
  history.pushState(null, '', address);
  dispatchEvent(new PopStateEvent('popstate'));
}

/** Goes to the page with this query, without what is empty. @param {Record<string, unknown>} query */
export function ask(query) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  go(`${location.pathname}?${new URLSearchParams(/** @type {[string, string][]} */ (given))}`);
}

/** Why something failed, and what to do. @param {unknown} failure */
export function problem(failure) {
  if (failure === undefined) return nothing;
  const isRefusal = failure instanceof Refusal;
  return html`<div role="alert" class="problem">
    <p><strong>${shown(failure instanceof Error ? failure.message : String(failure))}</strong></p>
    ${isRefusal ? html`<p>${shown(failure.next)}</p>` : nothing}
    ${isRefusal && failure.requestId ? html`<p>Request ${requestLink(failure.requestId)}</p>` : nothing}
    ${!isSignedIn() || (isRefusal && /token/.test(failure.code)) ? signInButton('Sign in') : nothing}
  </div>`;
}

/** A link to a call among the requests. @param {string} id */
export const requestLink = (id) =>
  html`<a href="/console/requests?${new URLSearchParams({ request_id: id })}">${shown(id)}</a>`;

/** The button for a fresh sign-in, which a page shows before a decision of a person. */
export function freshSignIn() {
  if (isFresh()) return nothing;
  return html`<p>This takes a sign-in of the last minutes, and yours is older. You return to this page afterwards.</p>
    ${signInButton('Sign in again', { fresh: true })}`;
}

/** @param {string} label @param {{ fresh?: boolean }} [needed] */
const signInButton = (label, needed) =>
  html`<button type="button" @click=${() => signIn(needed)}>${label}</button>`;

/** A time of the platform, as the reader's place writes it. @param {string | null | undefined} time */
export const localTime = (time) =>
  time
    ? html`<time datetime=${time}>${new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' })}</time>`
    : '–';

/** When something was done, and by whom. @param {string} at @param {string} user */
export const doneBy = (at, user) => html`${localTime(at)} by ${shown(user)}`;

/** Rows as a list, without one a word. @param {any[]} rows @param {(row: any) => unknown} entry @param {string} [none] */
export const listOf = (rows, entry, none = 'none') =>
  rows.length === 0 ? none : html`<ul>${rows.map((row) => html`<li>${entry(row)}</li>`)}</ul>`;

/** A list of names and values; one without a value is left out. @param {readonly (readonly [string, unknown])[]} facts */
export const factList = (facts) =>
  html`<dl>
    ${facts
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>`;

/** A secret, which no page shows again. @param {string | undefined} secret @param {string} without says why there may be none */
export const secretOnce = (secret, without) =>
  secret === undefined
    ? html`<p>${without}</p>`
    : html`<p>Keep this secret now: it is shown here and nowhere else.</p>
        <pre tabindex="0">${secret}</pre>
        <button type="button" @click=${() => navigator.clipboard.writeText(secret)}>Copy</button>`;

/** A call as a command, without the token. @param {Request} request */
export const asCurl = (request) =>
  html`<details class="curl"><summary>curl</summary><pre tabindex="0">${withoutHidden(curlOf(request))}</pre></details>`;

/** A link to a page of another maker, when its address is one that a browser may open. @param {string} url @param {string} label */
export const outside = (url, label) =>
  /^https?:\/\//.test(url) ? html`<a href=${url} target="_blank" rel="noreferrer">${label}</a>` : shown(url);
