import { html, nothing } from 'lit';
import { execute, isOwner } from './api.js';
import { directories } from './names.js';
import { groups } from './navigation.js';
import { go, LightElement } from './page.js';
import { shown } from './text.js';
import { icon } from './view.js';

/** @typedef {{ image: string, name: string, detail?: string, address: string }} Found */

/** The most entries of a kind. */
const MOST = 8;

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
  return (
    collection && {
      image: 'database',
      name: 'Open the Record',
      detail: id,
      address: `records/${collection}/${id}`,
    }
  );
}

/**
 * What a search names: the pages by their titles, and an id by its prefix; an id of another form may be one of a request.
 * @param {string} sought
 * @returns {Promise<Found[]>}
 */
export async function pagesAndIds(sought) {
  const pages = groups
    .flatMap(([, entries]) => entries)
    .filter(
      ([, title, , isForOwners]) =>
        (isOwner() || !isForOwners) && title.toLowerCase().includes(sought.toLowerCase()),
    )
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

/** The things whose name, id or detail has what is sought. @param {string} sought @returns {Promise<Found[]>} */
async function thingsWith(sought) {
  if (sought === '') return [];
  const images = { collection: 'database', grant: 'key-round', member: 'users', operation: 'terminal' };
  const ofKinds = Object.entries(images).map(async ([kind, image]) => {
    const all = await directories[/** @type {keyof typeof images} */ (kind)].all();
    const isFound = (/** @type {import('./names.js').Entry} */ { id, name, detail = '' }) =>
      [id, name, detail].some((text) => text.toLowerCase().includes(sought.toLowerCase()));
    return all
      .filter(isFound)
      .slice(0, MOST)
      .map(({ name, detail, address }) => ({
        image,
        name,
        detail: `${kind}${detail ? `, ${detail}` : ''}`,
        address,
      }));
  });
  return (await Promise.all(ofKinds)).flat();
}

/** The search over everything, by keyboard. */
class ThingFinder extends LightElement {
  static properties = { found: { state: true }, index: { state: true }, isBusy: { state: true } };

  constructor() {
    super();
    /** @type {Found[]} */
    this.found = [];
    this.index = 0;
    this.isBusy = false;
    this.sought = '';
  }

  firstUpdated() {
    this.querySelector('dialog')?.showModal();
    this.seek('');
  }

  /** @param {string} sought */
  async seek(sought) {
    this.sought = sought;
    this.index = 0;
    this.isBusy = true;
    const isPresent = () => sought === this.sought;
    const first = await pagesAndIds(sought).catch(() => []);
    if (!isPresent()) return;
    this.found = first;
    const things = await thingsWith(sought);
    if (!isPresent()) return;
    this.found = [...first, ...things];
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
    const { found, index } = this;
    return html`<dialog class="finder" aria-label="Search" @close=${() => this.remove()}><div>
      <input type="search" role="combobox" aria-expanded="true" aria-controls="found" aria-activedescendant=${found.length > 0 ? `found-${index}` : nothing}
        aria-label="Search pages, names and ids" placeholder="A page, a name or an id" autofocus
        @input=${(/** @type {any} */ event) => this.seek(event.target.value.trim())} @keydown=${this.keydown}>
      <ul id="found" role="listbox" aria-label="Found">${found.map(
        (
          each,
          at,
        ) => html`<li role="option" id="found-${at}" aria-selected=${at === index} class="item" @click=${() => this.open(each)}>
          ${icon(each.image)}<span>${shown(each.name)} <small>${shown(each.detail ?? '')}</small></span></li>`,
      )}</ul>
      <small role="status">${this.isBusy ? 'Searching …' : found.length === 0 ? 'Nothing was found.' : 'Enter opens it, Escape closes.'}</small>
    </div></dialog>`;
  }
}
customElements.define('thing-finder', ThingFinder);

export function openFinder() {
  if (document.querySelector('thing-finder') === null)
    document.body.append(document.createElement('thing-finder'));
}
