import { html, nothing } from 'lit';
import { elementWith } from './element.js';
import { LARGEST, pageOf, pagesOf } from './listing.js';
import { problem } from './problem.js';
import { tableOf } from './rows.js';
import { asCurl, loading } from './view.js';

/**
 * @typedef {object} Shown
 * @property {string} caption
 * @property {import('./rows.js').Columns} columns
 * @property {unknown} empty what to say without a row
 * @property {(row: any) => readonly unknown[]} [words] the texts in which a search looks for what is sought
 * @property {string | undefined} [sought] what the search begins with
 * @property {unknown} [tools] what stands above the rows
 */
/** @typedef {import('./listing.js').Listed & Shown} Listing */

/** How many rows somebody finds by looking. */
const FEW = 8;

/** A listing, of which one page is in memory, however long it is. A search follows it to its end. */
class PagedTable extends elementWith(() => ({
  /** @type {Listing} */
  listing: { caption: '', request: { method: 'GET', path: '' }, rows: '', columns: {}, empty: '' },
  /** @type {{ rows: any[], next: string | null, searched?: number } | undefined} */
  page: undefined,
  /** @type {unknown} */
  failure: undefined,
  isBusy: false,
})) {
  /** The cursors of the pages up to this one. @type {(string | undefined)[]} */
  cursors = [undefined];
  /** The request whose rows are shown. */
  asked = '';
  sought = '';
  isLong = false;

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    const asked = JSON.stringify(this.listing.request);
    if (!changed.has('listing') || asked === this.asked) return;
    if (this.asked === '') this.sought = this.listing.sought ?? '';
    this.asked = asked;
    this.load([undefined]);
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    super.updated(changed);
    if (this.page || this.failure) this.classList.add('loaded');
  }

  /** Fetches the page of the last cursor, or the rows that a search finds. @param {(string | undefined)[]} cursors */
  async load(cursors = this.cursors) {
    const { asked, sought, listing } = this;
    this.isBusy = true;
    try {
      const page = sought === '' ? await pageOf(listing, cursors.at(-1)) : await this.found(sought);
      // An answer that a later question has overtaken.
      if (asked !== this.asked || sought !== this.sought) return;
      if (idsOf(page.rows) !== idsOf(this.page?.rows ?? [])) {
        // Other rows get other elements: an element keeps what somebody has opened or entered in its row.
        this.page = undefined;
        await this.updateComplete;
      }
      this.cursors = cursors;
      this.page = page;
      this.failure = undefined;
    } catch (failure) {
      this.failure = failure;
    }
    this.isBusy = false;
  }

  /** The rows whose words have all that is sought. @param {string} sought */
  async found(sought) {
    const { words = () => [] } = this.listing;
    const parts = sought.toLowerCase().split(/\s+/);
    const isFound = (/** @type {any} */ row) => {
      const text = words(row).join(' ').toLowerCase();
      return parts.every((part) => text.includes(part));
    };
    const rows = [];
    let searched = 0;
    for await (const page of pagesOf(this.listing)) {
      searched += page.length;
      rows.push(...page.filter(isFound));
      if (sought !== this.sought || rows.length >= LARGEST) break;
    }
    return { rows: rows.slice(0, LARGEST), next: null, searched };
  }

  render() {
    const { caption, request, columns, empty, tools, words } = this.listing;
    const { page } = this;
    // A search in a few rows is no help; it stays once somebody has searched.
    this.isLong ||= this.sought !== '' || page?.next != null || (page?.rows.length ?? 0) > FEW;
    const search = words !== undefined && this.isLong ? this.search() : nothing;
    const bar =
      tools || search !== nothing ? html`<div class="tools pages">${search}${tools}</div>` : nothing;
    const failed = problem(this.failure, [], () => this.load());
    if (page === undefined)
      return html`<section class="card">${bar}<div class="body">${this.failure ? failed : loading}</div></section>`;
    const none =
      this.sought === '' ? empty : html`<div class="empty"><p>Nothing matches “${this.sought}”.</p></div>`;
    return html`${failed}
      <section class="card">${bar}
        ${page.rows.length === 0 ? none : tableOf(caption, columns, page.rows)}
        <div class="foot">${this.foot(page)} ${asCurl(request)}</div>
      </section>`;
  }

  search() {
    const seek = (/** @type {any} */ { target }) => {
      this.sought = target.value.trim();
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.load([undefined]), 200);
    };
    return html`<input type="search" class="search" placeholder="Search" aria-label="Search: ${this.listing.caption}" .defaultValue=${this.sought} @input=${seek}>`;
  }

  /** @param {{ rows: any[], next: string | null, searched?: number }} page */
  foot({ rows, next, searched }) {
    const { cursors } = this;
    if (searched !== undefined) {
      const cut = rows.length >= LARGEST ? '; the first are shown, so search for more words' : '';
      return html`<span role="status">${rows.length} found among ${searched}${cut}</span>`;
    }
    if (cursors.length === 1 && next === null) return html`<span>${rows.length} in all</span>`;
    /** @param {string} label @param {boolean} isOn @param {(string | undefined)[]} target */
    const button = (label, isOn, target) =>
      html`<button type="button" class="small" ?disabled=${!isOn || this.isBusy} @click=${() => this.load(target)}>${label}</button>`;
    return html`<span role="status">Page ${cursors.length}</span>
      <span class="pages">
        ${button('First page', cursors.length > 1, [undefined])}
        ${button('Previous page', cursors.length > 1, cursors.slice(0, -1))}
        ${button('Next page', next !== null, [...cursors, next ?? undefined])}
      </span>`;
  }
}
customElements.define('paged-table', PagedTable);

/** The identities of rows, as text: their ids, or else all of them. @param {any[]} rows */
const idsOf = (rows) => JSON.stringify(rows.map((row) => row.id ?? row.userId ?? row));

/** A listing as pages of a table. @param {Listing} listing */
export const pagedTable = (listing) => html`<paged-table .listing=${listing}></paged-table>`;

/** Fetches the present page of every listing again, after a change. */
export function reload() {
  for (const table of document.querySelectorAll('paged-table')) /** @type {PagedTable} */ (table).load();
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Fetches the listings again after a time, unless somebody reads a dialog then. @param {number} ms */
export function reloadSoon(ms) {
  clearTimeout(timer);
  timer = setTimeout(() => document.querySelector('dialog[open]') === null && reload(), ms);
}
