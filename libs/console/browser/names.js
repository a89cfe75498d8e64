import { html } from 'lit';
import { get, isOwner, me, operation } from './api.js';
import { pagesOf } from './listing.js';
import { LightElement } from './page.js';
import { shown } from './text.js';
import { shortId } from './view.js';

/** @typedef {'collection' | 'grant' | 'member' | 'operation' | 'sender'} Kind */
/** @typedef {{ id: string, name: string, detail?: string, address: string }} Entry */

/** How long a directory that was read to its end is not read again for an id that it lacks, in milliseconds. */
const PAUSE = 3000;

/** The names of things of a kind, from listings that are followed as far as somebody asks. */
class Directory {
  /** @type {Map<string, Entry>} */
  known = new Map();
  /** @type {AsyncGenerator<any[]> | undefined} */
  #pages = undefined;
  /** @type {Promise<void> | undefined} */
  #turning = undefined;
  #readAt = 0;

  /** @param {() => import('./listing.js').Listed[]} listings @param {(row: any) => Entry} entryOf */
  constructor(listings, entryOf) {
    this.listings = listings;
    this.entryOf = entryOf;
  }

  /** The entry with an id, or undefined. @param {string} id */
  async find(id) {
    let isBegun = false;
    while (!this.known.has(id)) {
      if (this.#pages === undefined) {
        if (isBegun || Date.now() - this.#readAt < PAUSE) return undefined;
        isBegun = true;
      }
      await this.#turn();
    }
    return this.known.get(id);
  }

  /** Every entry. */
  async all() {
    do await this.#turn();
    while (this.#pages !== undefined);
    return [...this.known.values()];
  }

  /** Reads the next page; all who wait share it. */
  #turn() {
    this.#pages ??= this.#read();
    this.#turning ??= this.#next(this.#pages).finally(() => {
      this.#turning = undefined;
    });
    return this.#turning;
  }

  /** @param {AsyncGenerator<any[]>} pages */
  async #next(pages) {
    // Without an answer the ids stand for the names.
    const { value: rows = [], done } = await pages.next().catch(() => ({ value: undefined, done: true }));
    for (const row of rows) {
      const entry = this.entryOf(row);
      this.known.set(entry.id, entry);
    }
    if (!done) return;
    this.#pages = undefined;
    this.#readAt = Date.now();
  }

  async *#read() {
    for (const listing of this.listings()) yield* pagesOf(listing);
  }
}

/** The names that the platform knows, by kind. @type {Record<Kind, Directory>} */
export const directories = {
  collection: new Directory(
    () => [{ request: operation('record_store.list_collections'), rows: 'collections' }],
    ({ id, name, description }) => ({ id, name, detail: description, address: `records/${id}` }),
  ),
  grant: new Directory(
    () =>
      ['routine', 'operation'].map((kind) => ({ request: get(`/api/v1/${kind}-grants`), rows: 'grants' })),
    ({ id, name, userId, kind }) => ({
      id,
      name: name ?? id,
      detail: `${kind} grant of ${userId}`,
      address: `grants?kind=${kind}&q=${id}`,
    }),
  ),
  member: new Directory(
    () => (isOwner() ? [{ request: get('/api/v1/members', { state: 'all' }), rows: 'members' }] : []),
    ({ userId, displayName, role }) => ({
      id: userId,
      name: displayName ?? userId,
      detail: role,
      address: `members?q=${userId}`,
    }),
  ),
  operation: new Directory(
    () => [{ request: get('/api/v1/operations'), rows: 'operations', isWhole: true }],
    ({ id, title }) => ({ id, name: title, detail: id, address: `playground?operation=${id}` }),
  ),
  sender: new Directory(
    () => [{ request: operation('mail.list_authorized_senders'), rows: 'senders', isWhole: true }],
    ({ sender_id: id, display_name: name, email }) => ({ id, name, detail: email, address: 'mail' }),
  ),
};

/** The name of a thing, once its directory knows it; until then, and without a name, its id. */
class ThingName extends LightElement {
  static properties = { kind: { attribute: false }, thing: { attribute: false }, entry: { state: true } };

  constructor() {
    super();
    /** @type {Kind} */
    this.kind = 'member';
    this.thing = '';
    /** @type {Entry | undefined} */
    this.entry = undefined;
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has('thing')) this.look();
  }

  async look() {
    const { kind, thing } = this;
    const own =
      kind === 'member' && thing === me.userId
        ? { id: thing, name: me.displayName ?? thing, address: '' }
        : undefined;
    const entry = own ?? (await directories[kind].find(thing));
    if (thing === this.thing) this.entry = entry;
  }

  render() {
    const { entry, thing } = this;
    return html`<span title=${thing}>${shown(entry?.name ?? shortId(thing))}</span>`;
  }
}
customElements.define('thing-name', ThingName);

/** The name of a thing by its id. @param {Kind} kind @param {string} id */
export const nameOf = (kind, id) => html`<thing-name .kind=${kind} .thing=${id}></thing-name>`;
