import { html, nothing } from 'lit';
import { LARGEST, pageOf, pagesOf } from '../platform/listing.js';
import { elementWith } from './element.js';
import { problem } from './problem.js';
import { idOfRow, tableOf } from './rows.js';
import { asCurl, emptyState, loading, pageButtons } from './view.js';

/**
 * @typedef {object} Shown
 * @property {string} caption
 * @property {import('./rows.js').Columns} columns
 * @property {unknown} empty the text without a row
 * @property {(row: any) => readonly unknown[]} [words] the texts of a row in which a search looks
 * @property {string | undefined} [sought] the first text of the search
 * @property {unknown} [tools] the controls above the rows
 */
/** @typedef {import('../platform/listing.js').Source & Shown} Listing */

/** The most rows of a listing without a search. */
const MOST_WITHOUT_SEARCH = 8;
/** The least time between two reloads after events, in milliseconds. */
const RELOAD_PAUSE = 1000;

/** A listing, of which one page is in memory, however long it is. A search follows it to its end. */
class PagedTable extends elementWith(() => ({
  /** @type {Listing} */
  listing: { caption: '', request: { method: 'GET', path: '' }, rows: '', columns: {}, empty: '' },
  /** @type {{ rows: any[], next: string | null, searched?: number } | undefined} */
  page: undefined,
  /** @type {unknown} */
  failure: undefined,
  /** Whether the rows of the page are shown. */
  hasRows: false,
})) {
  /** The cursors of the pages up to this one. @type {(string | undefined)[]} */
  cursors = [undefined];
  /** The cursors of the page that was asked for last. @type {(string | undefined)[]} */
  target = [undefined];
  /** The request whose rows are shown. */
  asked = '';
  sought = '';
  /** The number of the latest load. The table drops the answers of former loads. */
  latest = 0;
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

  /** Loads the page of the last cursor, or the rows of the search. @param {(string | undefined)[]} cursors */
  async load(cursors = this.target) {
    this.target = cursors;
    const { sought, listing } = this;
    const number = ++this.latest;
    const isLatest = () => number === this.latest;
    try {
      const page = await (sought === '' ? pageOf(listing, cursors.at(-1)) : this.found(sought, isLatest));
      if (!isLatest()) return;
      if (idsOf(page.rows) !== idsOf(this.page?.rows ?? [])) {
        // Other rows get other elements, because an element keeps the state of its row.
        this.hasRows = false;
        await this.updateComplete;
      }
      Object.assign(this, { cursors, page, hasRows: true, failure: undefined });
    } catch (failure) {
      if (isLatest()) this.failure = failure;
    }
  }

  /** The rows whose words have all words of a text. @param {string} sought @param {() => boolean} isLatest */
  async found(sought, isLatest) {
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
      if (!isLatest() || rows.length >= LARGEST) break;
    }
    return { rows: rows.slice(0, LARGEST), next: null, searched };
  }

  render() {
    const { caption, request, columns, empty, tools, words } = this.listing;
    const { page } = this;
    // A search stays in the listing once the listing had it.
    this.isLong ||=
      this.sought !== '' || page?.next != null || (page?.rows.length ?? 0) > MOST_WITHOUT_SEARCH;
    const search = words !== undefined && this.isLong ? this.search() : nothing;
    const bar =
      tools || search !== nothing ? html`<div class="tools pages">${search}${tools}</div>` : nothing;
    const failed = problem(this.failure, [], () => this.load());
    const none = this.sought === '' ? empty : emptyState('', `Nothing matches “${this.sought}”.`);
    const rows = page?.rows.length === 0 ? none : page && tableOf(caption, columns, page.rows);
    // One template keeps the toolbar, and the focus in it, while the rows change.
    return html`${page ? failed : nothing}
      <section class="card">${bar}
        ${page ? nothing : html`<div class="body">${this.failure ? failed : loading}</div>`}
        ${this.hasRows ? rows : nothing}
        ${page ? html`<div class="foot">${this.foot(page)} ${asCurl(request)}</div>` : nothing}
      </section>`;
  }

  search() {
    const seek = (/** @type {any} */ { target }) => {
      this.sought = target.value.trim();
      this.latest++;
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
    const hasFormer = cursors.length > 1;
    return html`<span role="status">Page ${cursors.length}</span>
      ${pageButtons([
        ['First page', hasFormer, () => this.load([undefined])],
        ['Previous page', hasFormer, () => this.load(cursors.slice(0, -1))],
        ['Next page', next !== null, () => this.load([...cursors, next ?? undefined])],
      ])}`;
  }
}
customElements.define('paged-table', PagedTable);

/** The identities of rows, as text: their ids, or else all of them. @param {any[]} rows */
const idsOf = (rows) => JSON.stringify(rows.map((row) => idOfRow(row) ?? row));

/** A listing as pages of a table. @param {Listing} listing */
export const pagedTable = (listing) => html`<paged-table .listing=${listing}></paged-table>`;

/** Fetches the present page of every listing again, after a change. */
export function reload() {
  for (const table of document.querySelectorAll('paged-table')) /** @type {PagedTable} */ (table).load();
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

let isAskedAgain = false;

/** Whether somebody reads a row: in a dialog, by keyboard, or with its text selected. Other rows would take the focus and the selection. */
function isReading() {
  const selection = getSelection();
  const selected = selection?.isCollapsed === false ? selection.anchorNode?.parentElement : undefined;
  const focused = document.querySelector('dialog[open], paged-table tbody :focus-visible');
  return focused !== null || selected?.closest('paged-table tbody') != null;
}

/** Fetches the listings again after a time, and once more when an event arrived meanwhile. A reader defers the fetch. @param {number} ms */
export function reloadSoon(ms) {
  isAskedAgain = timer !== undefined;
  timer ??= setTimeout(() => {
    timer = undefined;
    const isDeferred = isReading();
    if (!isDeferred) reload();
    if (isDeferred || isAskedAgain) reloadSoon(Math.max(ms, RELOAD_PAUSE));
  }, ms);
}
