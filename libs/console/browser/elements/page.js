import { html, nothing } from 'lit';
import { queryOf } from '../platform/api.js';
import { elementWith } from './element.js';
import { problem } from './problem.js';
import { icon, loading, segments } from './view.js';

/** The heading of a page, with a text below it and the actions beside it. @typedef {{ title?: unknown, about?: unknown, actions?: unknown }} Head */

/** A page loads, shows the failure of its loading or of a step of the Member, and reports a step. The loaded data stay in sight. */
export class Page extends elementWith(() => ({
  /** The data of the page, once loaded. @type {any} */
  loaded: undefined,
  /** @type {unknown} */
  failure: undefined,
  /** The report of the last step. @type {unknown} */
  report: nothing,
})) {
  /** The title of its entry in the navigation. */
  entry = '';
  /** The parts of the address that name what the page shows. @type {string[]} */
  names = [];
  /** The query of the address. */
  query = new URLSearchParams(location.search);
  /** The links to the pages above this one. @type {() => unknown[]} */
  crumbs = () => [];
  /** The step that failed. */
  step = () => this.load();

  connectedCallback() {
    super.connectedCallback();
    this.attempt(this.step);
  }

  /** Fetches what the page shows. @returns {Promise<void>} */
  async load() {
    this.loaded = null;
  }

  /** The heading, also before the page has loaded; its title is that of the entry by default. @returns {Head} */
  head() {
    return {};
  }

  /** Shows what was loaded. @returns {unknown} */
  content() {
    return nothing;
  }

  /** Shows the new calls after an event of the platform. @param {string} _type */
  follow(_type) {}

  /** The filters of the address. @returns {Record<string, string | undefined>} */
  get asked() {
    return Object.fromEntries([...this.query].filter(([, value]) => value !== ''));
  }

  /** Buttons that put a value into the query of the address. @param {string} label @param {string} name @param {import('../forms/edits.js').Options} options the first one holds for an address without a value */
  choice(label, name, options) {
    return segments(label, options, this.asked[name] ?? options[0]?.[0], (value) =>
      ask({ ...this.asked, [name]: value }),
    );
  }

  /** Loads the page again after the refusal of a change. True when its form closes: the platform has the change, or a newer version, beside which the page shows the refusal. @param {unknown} failure @param {{ versionOf?: () => unknown, isSaved?: () => boolean, renew?: () => Promise<void> }} change `versionOf` returns the version that is shown */
  async overtaken(failure, { versionOf = () => 0, isSaved = () => false, renew = () => this.load() }) {
    const former = versionOf();
    await renew().catch(() => undefined);
    if (isSaved()) return true;
    if (former === versionOf()) return false;
    Object.assign(this, { step: renew, failure });
    return true;
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

  /** Reports a step, and moves the focus to the report. @param {unknown} report */
  async show(report) {
    const isUncopied = this.querySelector('.secret:not(.copied)') !== null;
    const former = isUncopied ? this.report : nothing;
    // Lit would reuse the elements of a former secret, and show the new one as copied.
    this.report = nothing;
    await this.updateComplete;
    this.report = html`${former}${report}`;
    await this.updateComplete;
    /** @type {HTMLElement | null} */ (this.querySelector('.report'))?.focus();
  }

  /** @returns {unknown} */
  render() {
    const { title = this.entry, about, actions } = this.head();
    const crumbs = this.crumbs();
    const waits = this.failure === undefined ? loading : nothing;
    return html`<div>
        ${crumbs.length > 0 ? html`<nav class="crumbs" aria-label="Breadcrumbs">${crumbs.map((crumb) => [crumb, icon('chevron-right')])}</nav>` : nothing}
        <div class="head">
          <div><h1 tabindex="-1">${title}</h1>${about ? html`<p>${about}</p>` : nothing}</div>
          ${actions ? html`<div class="actions">${actions}</div>` : nothing}
        </div>
      </div>
      ${problem(this.failure, [], () => this.attempt(this.step))}
      <div class="report good" role="status" tabindex="-1">${this.report}</div>
      ${this.loaded === undefined ? waits : html`<div class="content">${this.content()}</div>`}`;
  }
}

/** Goes to another page of the console, unless the Member stays for the sake of a secret. @param {string} address */
export const go = (address) => dispatchEvent(new CustomEvent('go', { detail: address }));

/** Goes to the page with this query, without what is empty. @param {Record<string, unknown>} query */
export const ask = (query) => go(`${location.pathname}?${queryOf(query)}`);
