import { html, LitElement, nothing } from 'lit';
import { queryOf, Refusal } from './api.js';
import { problemsOf } from './field-problems.js';
import { isSignedIn, signIn } from './sign-in.js';
import { shown } from './text.js';
import { icon, link, requestLink } from './view.js';

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

/** A part of a page: it loads, shows why that, or a step of the Member, failed, and says what a step did. What was loaded stays in sight. */
export class Part extends LightElement {
  static properties = { loaded: { state: true }, failure: { state: true } };

  constructor() {
    super();
    /** The report of the last step. @type {unknown} */
    this.said = nothing;
    /** The query of the address. */
    this.query = new URLSearchParams(globalThis.location?.search);
    /** The data of the page, once loaded. @type {any} */
    this.loaded = undefined;
    /** @type {unknown} */
    this.failure = undefined;
    /** The step that failed. */
    this.step = () => this.load();
  }

  connectedCallback() {
    super.connectedCallback();
    this.attempt(() => this.load());
  }

  /** Fetches what the page shows. @returns {Promise<void>} */
  async load() {
    this.loaded = null;
  }

  /** Shows what was loaded. @returns {unknown} */
  content() {
    return nothing;
  }

  /** Takes a step, and shows its failure. @param {() => Promise<void>} step */
  async attempt(step) {
    this.step = step;
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

  /** @returns {unknown} */
  render() {
    const waits = this.failure === undefined ? html`<p>Loading …</p>` : nothing;
    return [
      problem(this.failure, [], () => this.attempt(this.step)),
      html`<div class="said" role="status" tabindex="-1">${this.said}</div>`,
      this.loaded === undefined ? waits : html`<div class="content">${this.content()}</div>`,
    ];
  }
}

/** @typedef {{ title: unknown, crumbs?: readonly (readonly [address: string, label: unknown])[], about?: unknown, actions?: unknown }} Head */

/** A page, with its heading. */
export class Page extends Part {
  constructor() {
    super();
    /** The title of its entry in the navigation. */
    this.entry = '';
    /** The parts of the address that name what the page shows. @type {string[]} */
    this.names = [];
  }

  /** The heading, also before the page has loaded. @returns {Head} */
  head() {
    return { title: this.entry };
  }

  /** @returns {unknown} */
  render() {
    const { title, crumbs = [], about, actions } = this.head();
    return [
      html`<div>
        ${crumbs.length > 0 ? html`<nav class="crumbs" aria-label="Breadcrumbs">${crumbs.map(([address, label]) => [link(address, label), icon('chevron-right')])}</nav>` : nothing}
        <div class="head">
          <div><h1 tabindex="-1">${title}</h1>${about ? html`<p>${about}</p>` : nothing}</div>
          ${actions ? html`<div class="actions">${actions}</div>` : nothing}
        </div>
      </div>`,
      super.render(),
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

/** The codes after which the same call may succeed, so a button is all that a person needs. */
const REPEATABLE = [
  'action_platform_unavailable',
  'custom_endpoint_unavailable',
  'no_answer',
  'action_infrastructure_failure',
];

/** Why something failed, and what to do. The fields of a form show their own problems. @param {unknown} failure @param {readonly { name: string }[]} [fields] @param {() => unknown} [again] repeats the step that failed */
export function problem(failure, fields = [], again) {
  if (failure === undefined) return nothing;
  const { rest: message, isOfFields } = problemsOf(failure, fields);
  if (message === '') return nothing;
  const refusal = failure instanceof Refusal ? failure : undefined;
  const isRepeatable = refusal !== undefined && REPEATABLE.includes(refusal.code);
  const next = refusal && !isRepeatable && !isOfFields ? html`<p>${shown(refusal.next)}</p>` : nothing;
  const needsSignIn = !isSignedIn() || /token/.test(refusal?.code ?? '');
  return html`<div role="alert" class="problem">${icon('triangle-alert')}<div>
    <p><strong>${shown(message)}</strong></p>
    ${next}
    ${refusal?.requestId ? html`<p><small>Request ${requestLink(refusal.requestId)}</small></p>` : nothing}
    ${needsSignIn ? html`<p>${signInButton('Sign in')}</p>` : nothing}
    ${again && !needsSignIn && (isRepeatable || refusal === undefined) ? html`<p><button type="button" @click=${again}>${icon('refresh-cw')}Try again</button></p>` : nothing}
  </div></div>`;
}

/** The button for a fresh sign-in, which a form shows before a decision of a person. @param {() => void} keep keeps what was entered */
export const freshSignIn = (keep) =>
  html`<div class="callout">${icon('shield-check')}<div><p>This takes a sign-in of the last minutes, and yours is older. You return to this page afterwards, with what you have entered.</p>
    <p>${signInButton('Sign in again', () => {
      keep();
      return signIn({ fresh: true });
    })}</p></div></div>`;

/** @param {string} label @param {() => Promise<void>} begin */
const signInButton = (label, begin = signIn) =>
  html`<button type="button" @click=${() => begin()}>${label}</button>`;
