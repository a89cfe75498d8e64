import { html, nothing } from 'lit';
import { pageOf, pagesOf } from './listing.js';
import { LightElement, problem } from './page.js';
import { asCurl } from './view.js';

/** @typedef {readonly [title: string, cell: (row: any) => unknown, look?: string]} Column its title, what it shows of a row, and the class of its cells */
/**
 * @typedef {object} Shown
 * @property {string} caption
 * @property {Column[]} columns
 * @property {unknown} empty what to say without a row
 * @property {any[]} [all] the rows of an answer without pages
 * @property {(row: any) => string} [words] the words by which a search finds a row
 * @property {string} [sought] what the search begins with
 * @property {unknown} [tools] what stands above the rows
 */
/** @typedef {import('./listing.js').Listed & Shown} Listing */

/** How many rows of an answer without pages are shown at once, and the most that a search shows. */
const PAGE = 200;
/** How many rows somebody finds by looking. */
const FEW = 8;

/** Rows as a table; on a phone each is a card. @param {string} caption @param {readonly Column[]} columns @param {any[]} rows */
export const tableOf = (caption, columns, rows) => html`<table role="table">
  <caption>${caption}</caption>
  <thead role="rowgroup"><tr role="row">${columns.map(([title, , look = '']) => html`<th role="columnheader" scope="col" class=${look}>${title || html`<span class="unseen">Actions</span>`}</th>`)}</tr></thead>
  <tbody role="rowgroup">
    ${rows.map(
      (row) => html`<tr role="row">
        ${columns.map(([title, cell, look = '']) => html`<td role="cell" class=${look} data-title=${title}>${cell(row)}</td>`)}
      </tr>`,
    )}
  </tbody>
</table>`;

/** A listing, of which one page is in memory, however long it is. A search follows it to its end. */
class PagedTable extends LightElement {
  static properties = {
    listing: { attribute: false },
    page: { state: true },
    failure: { state: true },
    isBusy: { state: true },
  };

  constructor() {
    super();
    /** @type {Listing} */
    this.listing = { caption: '', request: { method: 'GET', path: '' }, rows: '', columns: [], empty: '' };
    /** The cursors of the pages up to this one. @type {(string | undefined)[]} */
    this.cursors = [undefined];
    /** @type {{ rows: any[], next: string | null, searched?: number } | undefined} */
    this.page = undefined;
    /** @type {unknown} */
    this.failure = undefined;
    this.isBusy = false;
    /** The request whose rows are shown. */
    this.asked = '';
    this.sought = '';
    this.isLong = false;
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    const asked = JSON.stringify(this.listing.request);
    if (!changed.has('listing') || asked === this.asked) return;
    if (this.asked === '') this.sought = this.listing.sought ?? '';
    this.asked = asked;
    this.load([undefined]);
  }

  /** Fetches the page of the last cursor, or the rows that a search finds. @param {(string | undefined)[]} cursors */
  async load(cursors = this.cursors) {
    const { asked, sought } = this;
    this.isBusy = true;
    try {
      const page = sought === '' ? await this.pageAt(cursors.at(-1)) : await this.found(sought);
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

  /** @param {string | undefined} cursor */
  async pageAt(cursor) {
    const { all } = this.listing;
    return all ? partOf(all, Number(cursor ?? 0)) : await pageOf(this.listing, cursor);
  }

  /** The rows whose words have all that is sought. @param {string} sought */
  async found(sought) {
    const { words = () => '', all } = this.listing;
    const parts = sought.toLowerCase().split(/\s+/);
    const rows = [];
    let searched = 0;
    for await (const page of all ? [all] : pagesOf(this.listing)) {
      searched += page.length;
      const isFound = (/** @type {any} */ row) =>
        parts.every((part) => words(row).toLowerCase().includes(part));
      rows.push(...page.filter(isFound));
      if (sought !== this.sought || rows.length >= PAGE) break;
    }
    return { rows, next: null, searched };
  }

  render() {
    const { caption, request, columns, empty, tools, words } = this.listing;
    const { page } = this;
    const again = () => this.load();
    // A search in a few rows is no help; it stays once somebody has searched.
    this.isLong ||= this.sought !== '' || page?.next != null || (page?.rows.length ?? 0) > FEW;
    const isSearched = words !== undefined && this.isLong;
    const bar =
      tools || isSearched
        ? html`<div class="tools pages">${isSearched ? this.search() : nothing}${tools}</div>`
        : nothing;
    if (page === undefined)
      return html`<section class="card">${bar}<div class="body">${this.failure ? problem(this.failure, [], again) : html`<p>Loading …</p>`}</div></section>`;
    const none =
      this.sought === '' ? empty : html`<div class="empty"><p>Nothing has “${this.sought}”.</p></div>`;
    return html`${problem(this.failure, [], again)}
      <section class="card">${bar}
        ${page.rows.length === 0 ? none : tableOf(caption, columns, page.rows)}
        <div class="foot">${this.foot(page)} ${asCurl(request)}</div>
      </section>`;
  }

  search() {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    return html`<input type="search" class="search" placeholder="Search" aria-label="Search: ${this.listing.caption}" .defaultValue=${this.sought} @input=${(
      /** @type {any} */ event,
    ) => {
      this.sought = event.target.value.trim();
      clearTimeout(timer);
      timer = setTimeout(() => this.load([undefined]), 200);
    }}>`;
  }

  /** @param {{ rows: any[], next: string | null, searched?: number }} page */
  foot({ rows, next, searched }) {
    if (searched !== undefined) {
      const cut = rows.length >= PAGE ? '; the first are shown, so search for more words' : '';
      return html`<span role="status">${rows.length} found among ${searched}${cut}</span>`;
    }
    const { cursors } = this;
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

/** @param {any[]} all @param {number} from */
function partOf(all, from) {
  const next = from + PAGE;
  return { rows: all.slice(from, next), next: next < all.length ? String(next) : null };
}

/** The identities of rows, as text: their ids, or else all of them. @param {any[]} rows */
const idsOf = (rows) => JSON.stringify(rows.map((row) => row.id ?? row.userId ?? row));

/** A listing as pages of a table. @param {Listing} listing */
export const pagedTable = (listing) => html`<paged-table .listing=${listing}></paged-table>`;

/** Fetches the present page of every listing again, after a change. */
export function reload() {
  for (const table of document.querySelectorAll('paged-table')) /** @type {PagedTable} */ (table).load();
}
