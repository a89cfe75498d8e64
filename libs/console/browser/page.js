import { html, LitElement, nothing } from 'lit';
import { curlOf, queryOf, Refusal } from './api.js';
import { isSignedIn, signIn } from './sign-in.js';
import { shown, withoutHidden } from './text.js';

/** @typedef {import('./api.js').Request} Request */

/** An element in the light DOM, for the one style sheet. */
export class LightElement extends LitElement {
  createRenderRoot() {
    return this;
  }

  /** When the control that had the focus is no longer there, a reader by keyboard goes on at the heading. @param {Map<string, unknown>} _changed */
  updated(_changed) {
    if (document.activeElement === document.body)
      document.querySelector('h1')?.focus({ preventScroll: true });
  }
}

/** A page: it loads, shows why that, or a step of the Member, failed, and says what a step did. */
export class Page extends LightElement {
  static properties = { loaded: { state: true }, failure: { state: true } };

  constructor() {
    super();
    /** The report of the last step. @type {unknown} */
    this.said = nothing;
    /** The parts of the address that name what the page shows. @type {string[]} */
    this.names = [];
    /** The query of the address. */
    this.query = new URLSearchParams(location.search);
    /** The data of the page, once loaded. @type {any} */
    this.loaded = undefined;
    /** @type {unknown} */
    this.failure = undefined;
  }

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

  /** Says what a step did, and takes the reader there. @param {unknown} said */
  async show(said) {
    this.said = said;
    this.requestUpdate();
    await this.updateComplete;
    /** @type {HTMLElement | null} */ (this.querySelector('.said'))?.focus();
  }

  render() {
    const waits = this.failure === undefined ? html`<p>Loading …</p>` : nothing;
    return [
      problem(this.failure),
      html`<div class="said" role="status" tabindex="-1">${this.said}</div>`,
      this.loaded === undefined ? waits : this.content(),
    ];
  }
}

/** Goes to another page of the console. @param {string} address */
export function go(address) {
  history.pushState(null, '', address);
  dispatchEvent(new PopStateEvent('popstate'));
}

/** Goes to the page with this query, without what is empty. @param {Record<string, unknown>} query */
export const ask = (query) => go(`${location.pathname}?${queryOf(query)}`);

/** Why something failed, and what to do. Where the fields of a form are at fault, their labels stand for their names in the API. @param {unknown} failure @param {readonly { name: string, label: string }[]} [fields] */
export function problem(failure, fields = []) {
  if (failure === undefined) return nothing;
  const isRefusal = failure instanceof Refusal;
  const message = failure instanceof Error ? failure.message : String(failure);
  const isOfFields = isRefusal && failure.code === 'invalid_request' && fields.length > 0;
  const next = isRefusal ? html`<p>${shown(failure.next)}</p>` : nothing;
  return html`<div role="alert" class="problem">
    <p><strong>${shown(isOfFields ? withLabels(message, fields) : message)}</strong></p>
    ${isOfFields ? html`<details><summary>As the API says it</summary><p>${shown(message)}</p>${next}</details>` : next}
    ${isRefusal && failure.requestId ? html`<p>Request ${requestLink(failure.requestId)}</p>` : nothing}
    ${!isSignedIn() || (isRefusal && /token/.test(failure.code)) ? signInButton('Sign in') : nothing}
  </div>`;
}

/** A message, whose parts begin with the names of fields or the places of their values. @param {string} message @param {readonly { name: string, label: string }[]} fields */
const withLabels = (message, fields) =>
  message.replaceAll(/(?<=^|; )[\w.]+/g, (place) => {
    const field = fields.find(({ name }) => place.split('.').includes(name));
    return field === undefined ? place : `“${field.label}”`;
  });

/** A link to a call among the requests. @param {string} id */
export const requestLink = (id) => link(`requests?${queryOf({ request_id: id })}`, shown(id));

/** The button for a fresh sign-in, which a form shows before a decision of a person. @param {() => void} keep keeps what was entered */
export const freshSignIn = (keep) =>
  html`<p>This takes a sign-in of the last minutes, and yours is older. You return to this page afterwards, with what you have entered.</p>
    ${signInButton('Sign in again', () => {
      keep();
      return signIn({ fresh: true });
    })}`;

/** @param {string} label @param {() => Promise<void>} begin */
const signInButton = (label, begin = signIn) =>
  html`<button type="button" @click=${() => begin()}>${label}</button>`;

/** A time of the platform, as the reader's place writes it. @param {string | null | undefined} time */
export const localTime = (time) =>
  time
    ? html`<time datetime=${time}>${new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' })}</time>`
    : '–';

/** A link to a page of the console. @param {string} address @param {unknown} label */
export const link = (address, label) => html`<a href="/console/${address}">${label}</a>`;

/** A link to what a code of an error means. @param {string} code */
export const codeLink = (code) => html`<a target="_blank" href="/docs/errors/${code}">${code}</a>`;

/** An id, in one line where there is room. @param {string} id */
export const idOf = (id) => html`<code class="id">${shown(id)}</code>`;

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
