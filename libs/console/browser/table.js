import { html, nothing } from 'lit';
import { pageOf } from './listing.js';
import { asCurl, LightElement, problem } from './page.js';

/** @typedef {[title: string, cell: (row: any) => unknown]} Column its title, and what it shows of a row */
/** @typedef {import('./listing.js').Listed & { caption: string, columns: Column[], empty: string, all?: any[] }} Listing `all` has the rows of an answer without pages */

/** How many rows of an answer without pages are shown at once. */
const PAGE = 200;

/** Rows as a table; on a phone each is a card. @param {string} caption @param {Column[]} columns @param {any[]} rows */
export const tableOf = (caption, columns, rows) => html`<table role="table">
  <caption>${caption}</caption>
  <thead role="rowgroup"><tr role="row">${columns.map(([title]) => html`<th role="columnheader" scope="col">${title}</th>`)}</tr></thead>
  <tbody role="rowgroup">
    ${rows.map(
      (row) => html`<tr role="row">
        ${columns.map(([title, cell]) => html`<td role="cell" data-title=${title}>${cell(row)}</td>`)}
      </tr>`,
    )}
  </tbody>
</table>`;

/** A listing, of which one page is in memory, however long it is. */
class PagedTable extends LightElement {
  static properties = { listing: { attribute: false }, page: { state: true }, failure: { state: true } };

  constructor() {
    super();
    /** @type {Listing} */
    this.listing = { caption: '', request: { method: 'GET', path: '' }, rows: '', columns: [], empty: '' };
    /** The cursors of the pages up to this one. @type {(string | undefined)[]} */
    this.cursors = [undefined];
    /** @type {{ rows: any[], next: string | null } | undefined} */
    this.page = undefined;
    /** @type {unknown} */
    this.failure = undefined;
    /** The request whose rows are shown. */
    this.asked = '';
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    const asked = JSON.stringify(this.listing.request);
    if (!changed.has('listing') || asked === this.asked) return;
    this.asked = asked;
    this.load([undefined]);
  }

  /** Fetches the page of the last cursor. @param {(string | undefined)[]} cursors */
  async load(cursors = this.cursors) {
    const { all } = this.listing;
    const { asked } = this;
    const cursor = cursors.at(-1);
    try {
      const page = all ? partOf(all, Number(cursor ?? 0)) : await pageOf(this.listing, cursor);
      // An answer that a later question has overtaken.
      if (asked !== this.asked) return;
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
  }

  render() {
    const { caption, request, columns, empty } = this.listing;
    const { cursors, page } = this;
    if (page === undefined) return this.failure ? problem(this.failure) : html`<p>Loading …</p>`;
    return html`${problem(this.failure)}
      ${page.rows.length === 0 ? html`<p>${empty}</p>` : tableOf(caption, columns, page.rows)}
      ${cursors.length > 1 || page.next !== null ? this.pages(page.next) : nothing} ${asCurl(request)}`;
  }

  /** @param {string | null} next the cursor of the next page */
  pages(next) {
    const { cursors } = this;
    /** @param {string} label @param {boolean} isOn @param {(string | undefined)[]} target */
    const button = (label, isOn, target) =>
      html`<button type="button" ?disabled=${!isOn} @click=${() => this.load(target)}>${label}</button>`;
    return html`<p class="pages">
      ${button('First page', cursors.length > 1, [undefined])}
      ${button('Previous page', cursors.length > 1, cursors.slice(0, -1))}
      ${button('Next page', next !== null, [...cursors, next ?? undefined])}
      <span role="status">Page ${cursors.length}</span>
    </p>`;
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
