import { html, nothing } from 'lit';
import { call } from './api.js';
import { asCurl, LightElement, problem } from './page.js';

/** @typedef {[title: string, cell: (row: any) => unknown]} Column its title, and what it shows of a row */
/**
 * @typedef {object} Listing
 * @property {string} caption
 * @property {import('./api.js').Request} request without a cursor
 * @property {string} rows the field of the answer that has the rows
 * @property {any[]} [all] the rows of an answer that has no pages
 * @property {Column[]} columns
 * @property {string} empty what to say without a row
 * @property {(text: string) => any} [parse] reads the answer
 */

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
    const { request, rows, parse, all } = this.listing;
    const { asked } = this;
    const cursor = cursors.at(-1);
    const next =
      request.method === 'GET'
        ? { ...request, query: { ...request.query, cursor } }
        : { ...request, body: { .../** @type {object} */ (request.body), cursor } };
    try {
      const answer = all
        ? pageOf(all, rows, Number(cursor ?? 0))
        : await call(next, { ...(parse && { parse }) });
      // An answer that a later question has overtaken.
      if (asked !== this.asked) return;
      const page = answer.result ?? answer;
      if (idsOf(page[rows]) !== idsOf(this.page?.rows ?? [])) {
        // Other rows get other elements: an element keeps what somebody has opened or entered in its row.
        this.page = undefined;
        await this.updateComplete;
      }
      this.cursors = cursors;
      this.page = { rows: page[rows], next: page.next_cursor ?? page.nextCursor ?? null };
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

/** @param {any[]} all @param {string} name @param {number} from */
function pageOf(all, name, from) {
  const next = from + PAGE;
  return { [name]: all.slice(from, next), next_cursor: next < all.length ? String(next) : null };
}

/** The identities of rows, as text: their ids, or else all of them. @param {any[]} rows */
const idsOf = (rows) => JSON.stringify(rows.map((row) => row.id ?? row.userId ?? row));

/** A listing as pages of a table. @param {Listing} listing */
export const pagedTable = (listing) => html`<paged-table .listing=${listing}></paged-table>`;

/** Fetches the present page of every listing again, after a change. */
export function reload() {
  for (const table of document.querySelectorAll('paged-table')) /** @type {PagedTable} */ (table).load();
}
