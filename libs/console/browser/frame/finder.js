import { html, nothing } from 'lit';
import { elementWith } from '../elements/element.js';
import { directories } from '../elements/names.js';
import { go } from '../elements/page.js';
import { icon } from '../elements/view.js';
import { execute, isOwner } from '../platform/api.js';
import { shown } from '../text/text.js';
import { groups } from './navigation.js';

/** @typedef {{ image: string, name: string, detail?: string, address: string }} Found */

/** The most entries of a kind. */
const MOST_OF_KIND = 8;

/** The pages of ids, by their prefix. @type {Record<string, (id: string) => Found | Promise<Found | undefined>>} */
const BY_PREFIX = {
  apv: (id) => ({ image: 'shield-check', name: 'Open the approval', detail: id, address: `approvals/${id}` }),
  col: (id) => ({ image: 'database', name: 'Open the Collection', detail: id, address: `records/${id}` }),
  whe: (id) => ({ image: 'webhook', name: 'Open the webhook', detail: id, address: `webhooks/${id}` }),
  rec: recordOf,
};

/** A Record by its id alone: the audit log names its Collection. @param {string} id @returns {Promise<Found | undefined>} */
async function recordOf(id) {
  const { entries } = await execute('audit.list_entries', { target_id: id, limit: 1 });
  const collection = entries[0]?.targets.find((/** @type {string} */ target) => target.startsWith('col_'));
  const address = `records/${collection}/${id}`;
  return collection && { image: 'database', name: 'Open the Record', detail: id, address };
}

/** The pages by their titles, and the page of an id by its prefix. An id of another form may be the id of a request. @param {string} sought @returns {Promise<Found[]>} */
async function pagesAndIds(sought) {
  const pages = Object.values(groups)
    .flat()
    .filter(([, title, image, , isForOwners]) => image && (isOwner() || !isForOwners) && hasIn(sought, title))
    .map(([address, name, image]) => ({ image, name, detail: 'page', address }));
  const opened = await BY_PREFIX[/^([a-z]{3})_[\w]+$/.exec(sought)?.[1] ?? '']?.(sought);
  const isRequest = /^[\w.:-]{8,}$/.test(sought) && opened === undefined;
  const request = {
    image: 'list',
    name: 'Find the request',
    detail: sought,
    address: `requests?request_id=${encodeURIComponent(sought)}`,
  };
  return [...(opened ? [opened] : []), ...pages, ...(isRequest ? [request] : [])];
}

/** Whether one of some texts has what is sought. @param {string} sought @param {string[]} texts */
const hasIn = (sought, ...texts) => texts.some((text) => text.toLowerCase().includes(sought.toLowerCase()));

/** The kinds of things that the search finds, with their icons. */
const KINDS = /** @type {const} */ ([
  ['collection', 'database'],
  ['grant', 'key-round'],
  ['member', 'users'],
  ['operation', 'terminal'],
]);

/** The things whose name, id or detail has what is sought, and how many more there are. @param {string} sought @returns {Promise<{ things: Found[], hidden: number }>} */
async function thingsWith(sought) {
  if (sought === '') return { things: [], hidden: 0 };
  const ofKinds = KINDS.map(async ([kind, image]) => {
    const all = await directories[kind].all().catch(() => []);
    const found = all.filter(({ id, name, detail = '' }) => hasIn(sought, id, name, detail));
    return found.map(({ name, detail, address }) => {
      return { image, name, detail: detail ? `${kind}, ${detail}` : kind, address };
    });
  });
  const found = await Promise.all(ofKinds);
  const things = found.flatMap((each) => each.slice(0, MOST_OF_KIND));
  return { things, hidden: found.flat().length - things.length };
}

/** The search over everything, by keyboard. */
class ThingFinder extends elementWith(() => ({
  found: /** @type {Found[]} */ ([]),
  index: 0,
  isBusy: false,
})) {
  sought = '';

  firstUpdated() {
    this.querySelector('dialog')?.showModal();
    this.seek('');
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    super.updated(changed);
    this.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }

  /** @param {string} sought */
  async seek(sought) {
    // Enter opens no entry of a former search.
    this.found = [];
    this.sought = sought;
    this.index = 0;
    this.isBusy = true;
    this.cut = 0;
    const isPresent = () => sought === this.sought;
    const first = await pagesAndIds(sought).catch(() => []);
    if (!isPresent()) return;
    this.found = first;
    const { things, hidden } = await thingsWith(sought);
    if (!isPresent()) return;
    this.found = [...first, ...things];
    this.cut = hidden;
    this.isBusy = false;
  }

  /** @param {Found | undefined} found */
  open(found) {
    if (found === undefined) return;
    this.remove();
    go(`/console/${found.address}`);
  }

  /** @param {KeyboardEvent} event */
  keydown(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') this.open(this.found[this.index]);
    else if (step === undefined) return;
    else this.index = (this.index + step + this.found.length) % Math.max(1, this.found.length);
    event.preventDefault();
  }

  render() {
    const { found, cut = 0, index } = this;
    const more = cut > 0 ? ` ${cut} more are not shown: search for more words.` : '';
    const status = found.length === 0 ? 'Nothing was found.' : `Enter opens it, Escape closes.${more}`;
    const option = (/** @type {Found} */ each, /** @type {number} */ at) =>
      html`<li role="option" id="found-${at}" aria-selected=${at === index} class="item" @click=${() => this.open(each)}>
        ${icon(each.image)}<span>${shown(each.name)} <small>${shown(each.detail ?? '')}</small></span></li>`;
    return html`<dialog class="finder" aria-label="Search" @close=${() => this.remove()}><div>
      <input type="search" role="combobox" aria-expanded="true" aria-controls="found" aria-activedescendant=${found.length > 0 ? `found-${index}` : nothing}
        aria-label="Search pages, names and ids" placeholder="A page, a name or an id" autofocus
        @input=${(/** @type {any} */ { target }) => this.seek(target.value.trim())} @keydown=${this.keydown}>
      <ul id="found" role="listbox" aria-label="Found">${found.map(option)}</ul>
      <small role="status">${this.isBusy ? 'Searching …' : status}</small>
    </div></dialog>`;
  }
}
customElements.define('thing-finder', ThingFinder);

export function openFinder() {
  if (document.querySelector('thing-finder') === null)
    document.body.append(document.createElement('thing-finder'));
}
