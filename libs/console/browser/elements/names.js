import { html } from 'lit';
import { get, isOwner, me, operation } from '../platform/api.js';
import { GRANT_KINDS, pagesOf } from '../platform/listing.js';
import { grantAddress } from '../text/grant-address.js';
import { shown } from '../text/text.js';
import { elementWith } from './element.js';
import { shortId, timeOf, titled } from './view.js';

/** @typedef {'collection' | 'grant' | 'member' | 'operation' | 'sender'} Kind */
/** A thing that has a name. A form offers no thing that has ended. @typedef {{ id: string, name: string, detail?: string, address: string, hasEnded?: boolean, mayWrite?: boolean }} Entry */

/** The least time between two reads of a whole directory for an unknown id, in milliseconds. */
const PAUSE = 3000;
/** The most suggestions of a field. */
const MOST_SUGGESTIONS = 500;

/** The names of things of a kind, from listings that are followed as far as somebody asks. */
class Directory {
  /** @type {Map<string, Entry>} */
  known = new Map();
  /** @type {AsyncGenerator<any[]> | undefined} */
  #pages = undefined;
  /** @type {Promise<void> | undefined} */
  #turning = undefined;
  #readAt = 0;

  /** @param {() => import('../platform/listing.js').Source[]} listings @param {(row: any) => Entry} entryOf */
  constructor(listings, entryOf) {
    this.listings = listings;
    this.entryOf = entryOf;
  }

  /** The entry with an id, or undefined, also without an answer. @param {string} id */
  async find(id) {
    const isRead = () => this.#pages === undefined && Date.now() - this.#readAt < PAUSE;
    while (!this.known.has(id) && !isRead()) await this.#turn().catch(() => undefined);
    return this.known.get(id);
  }

  /** Every entry. Throws Refusal. */
  async all() {
    do await this.#turn();
    while (this.#pages !== undefined);
    return [...this.known.values()];
  }

  /** The entries that have not ended, as choices of a form. Throws Refusal. @returns {Promise<import('../forms/edits.js').Choice[]>} */
  choices = async () => {
    const present = (await this.all()).filter(({ hasEnded }) => !hasEnded);
    return present.map(({ id, name, detail = '' }) => [id, name, detail]);
  };

  /** The first entries as suggestions of a field, which says when they are not all. Throws Refusal. @returns {Promise<Partial<import('../forms/edits.js').Field>>} */
  async suggestions() {
    const all = await this.all();
    const hint = `The first ${MOST_SUGGESTIONS} of ${all.length} are suggested; any other id can be entered.`;
    return {
      suggestions: all.slice(0, MOST_SUGGESTIONS).map(({ id, name }) => [id, name]),
      ...(all.length > MOST_SUGGESTIONS && { hint }),
    };
  }

  /** Reads the next page. All callers that wait share the answer. */
  #turn() {
    this.#pages ??= this.#read();
    this.#turning ??= this.#next(this.#pages).finally(() => {
      this.#turning = undefined;
    });
    return this.#turning;
  }

  /** @param {AsyncGenerator<any[]>} pages */
  async #next(pages) {
    let isDone = true;
    try {
      const { value: rows = [], done = false } = await pages.next();
      for (const entry of rows.map(this.entryOf)) this.known.set(entry.id, entry);
      isDone = done;
    } finally {
      if (isDone) {
        this.#pages = undefined;
        this.#readAt = Date.now();
      }
    }
  }

  async *#read() {
    for (const listing of this.listings()) yield* pagesOf(listing);
  }
}

/** The names that the platform knows, by kind. @type {Record<Kind, Directory>} */
export const directories = {
  collection: new Directory(
    () => [{ request: operation('record_store.list_collections'), rows: 'collections' }],
    ({ id, name, description, member_writes_enabled: membersMayWrite }) => ({
      id,
      name,
      detail: description,
      address: `records/${id}`,
      mayWrite: isOwner() || membersMayWrite,
    }),
  ),
  grant: new Directory(
    () => GRANT_KINDS.map((kind) => ({ request: get(`/api/v1/${kind}-grants`), rows: 'grants' })),
    ({ id, name, userId, kind, status, client }) => ({
      id,
      name: name ?? client?.name ?? id,
      detail: `${kind} grant of ${userId}`,
      address: grantAddress(id),
      hasEnded: status !== 'active',
    }),
  ),
  member: new Directory(
    () => (isOwner() ? [{ request: get('/api/v1/members', { state: 'all' }), rows: 'members' }] : []),
    ({ userId, displayName, role, state }) => ({
      id: userId,
      name: displayName ?? userId,
      detail: role,
      address: `members?q=${userId}`,
      hasEnded: state !== 'active',
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
class ThingName extends elementWith(() => ({
  /** @type {Kind} */
  kind: 'member',
  thing: '',
  /** @type {string | undefined} */
  name: undefined,
})) {
  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has('thing')) this.look();
  }

  async look() {
    const { kind, thing } = this;
    const own = kind === 'member' && thing === me.userId ? (me.displayName ?? thing) : undefined;
    const name = own ?? (await directories[kind].find(thing))?.name;
    if (thing === this.thing) this.name = name;
  }

  render() {
    return html`<span title=${this.thing}>${shown(this.name ?? shortId(this.thing))}</span>`;
  }
}
customElements.define('thing-name', ThingName);

/** The name of a thing by its id. @param {Kind} kind @param {string} id */
export const nameOf = (kind, id) => html`<thing-name .kind=${kind} .thing=${id}></thing-name>`;

/** When something was done, and by whom. @param {string} at @param {string} userId */
export const doneBy = (at, userId) => html`${timeOf(at)} <small>by ${nameOf('member', userId)}</small>`;

/** The caller of a call: a grant and the Member that it acts as, or a Member. @param {string | null | undefined} grantId @param {string} userId @param {string | null | undefined} [grantName] */
export const callerOf = (grantId, userId, grantName) =>
  grantId
    ? titled(grantName ? shown(grantName) : nameOf('grant', grantId), html`as ${nameOf('member', userId)}`)
    : nameOf('member', userId);
