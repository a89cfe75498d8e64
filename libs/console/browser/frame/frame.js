import { html, nothing, render } from 'lit';
import { go } from '../elements/page.js';
import { idOfRow } from '../elements/rows.js';
import { icon, shortId } from '../elements/view.js';
import { call, canDecide, get, isOwner, me } from '../platform/api.js';
import { follow } from '../platform/events.js';
import { isSignedIn, signIn, workspaces } from '../platform/sign-in.js';
import { shown } from '../text/text.js';
import { groups } from './navigation.js';

/** Opens the search, whose module is fetched then. */
const search = async () => (await import('./finder.js')).openFinder();

/** The most calls that are counted beside Approvals. */
const MOST_COUNTED = 99;

/** The navigation, with the number of calls that wait, and a menu on a phone. */
export class Frame {
  #present = '';
  #title = '';
  #waiting = 0;
  /** The ids of the calls that wait for a decision of this Member. */
  #decidable = new Set();
  #isOpen = false;
  #closing = new AbortController();

  /** @param {HTMLElement} nav */
  constructor(nav) {
    this.nav = nav;
    addEventListener('keydown', (event) => {
      const isSearch = event.key === 'k' && (event.ctrlKey || event.metaKey);
      if (!isSearch || me === undefined || !isSignedIn()) return;
      event.preventDefault();
      search();
    });
  }

  /** @param {string} present the address of the page below /console/ */
  show(present) {
    this.#present = present;
    this.#isOpen = false;
    this.#render();
  }

  /** Puts the title of a page into that of the document, after the number of calls that wait. @param {string} title */
  entitle(title) {
    this.#title = title;
    document.title = `${this.#waiting > 0 ? `(${this.#number}) ` : ''}${title} · Action Platform`;
  }

  get #number() {
    return this.#waiting > MOST_COUNTED ? `${MOST_COUNTED}+` : this.#waiting;
  }

  /** Ends the feed of events, and empties the navigation. */
  close() {
    this.#closing.abort();
    render(nothing, this.nav);
  }

  /** Counts the calls that wait, again after each event about them. @param {(type: string) => void} heard gets the type of each event */
  async follow(heard) {
    await this.#count();
    for await (const type of follow(this.#closing.signal)) {
      const former = this.#decidable;
      if (type.startsWith('approval.')) await this.#count();
      const hasNew = type === 'approval.requested' && !this.#decidable.isSubsetOf(former);
      const mayNotify = document.hidden && globalThis.Notification?.permission === 'granted';
      if (hasNew && mayNotify) notify(`${this.#number} waiting`);
      heard(type);
    }
  }

  async #count() {
    const pending = get('/api/v1/approvals', { status: 'pending', limit: String(MOST_COUNTED + 1) });
    const present = await call(pending).catch(() => undefined);
    if (present) {
      this.#waiting = present.approvals.length;
      this.#decidable = new Set(present.approvals.filter(canDecide).map(idOfRow));
    }
    if (this.#closing.signal.aborted) return;
    this.entitle(this.#title);
    this.#render();
  }

  /** @param {import('./navigation.js').Entry} entry */
  #item([address, title, image]) {
    return html`<a class="item" href="/console${address && `/${address}`}"
      aria-current=${this.#present.split('/')[0] === address ? 'page' : 'false'}>${icon(image)}${title}${
        address === 'approvals' && this.#waiting > 0
          ? html`<span class="count num">${this.#number}<span class="unseen"> waiting</span></span>`
          : nothing
      }</a>`;
  }

  #render() {
    const name = me.displayName ?? me.userId;
    const toggle = () => {
      this.#isOpen = !this.#isOpen;
      this.#render();
    };
    this.nav.classList.toggle('open', this.#isOpen);
    render(
      html`<a class="skip" href="#content">To the content</a>
        <div class="bar"><span class="workspace"><span class="mark" aria-hidden="true">A</span><span>Action Platform<small title=${me.workspaceId}>${shown(shortId(me.workspaceId))}</small></span></span>
          <button type="button" class="menu-button quiet" aria-label="Menu" aria-expanded=${this.#isOpen} @click=${toggle}>${icon(this.#isOpen ? 'x' : 'menu')}</button></div>
        <button type="button" class="find" @click=${search}>${icon('search')}Search <kbd>Ctrl K</kbd></button>
        ${Object.entries(groups).map(([group, entries]) => [
          group ? html`<h2>${group}</h2>` : nothing,
          entries
            .filter(([, , image, , isForOwners]) => image && (isOwner() || !isForOwners))
            .map((entry) => this.#item(entry)),
        ])}
        <a class="item" href="/docs" target="_blank">${icon('book-open')}API reference</a>
        <div class="me"><span class="avatar" aria-hidden="true">${initials(name)}</span><span>${shown(name)}<small>${me.role === 'owner' ? 'Owner' : 'Member'}</small></span>
          ${workspaces.map((workspace) => html`<button type="button" class="small" @click=${() => signIn({ workspace })}>${workspace}</button>`)}
          <button type="button" class="small quiet" @click=${() => dispatchEvent(new Event('leave'))}>${icon('log-out')}Sign out</button></div>`,
      this.nav,
    );
  }
}

/** Shows a message of the browser, which replaces the former one, alerts anew, and leads to Approvals. @param {string} body */
function notify(body) {
  try {
    const options = { tag: 'approvals', renotify: true, body };
    new Notification('A call waits for a decision', options).onclick = () => {
      focus();
      go('/console/approvals');
    };
  } catch {
    // Chrome for Android has no such constructor.
  }
}

/** The first letters of the first two words of a name. @param {string} name */
const initials = (name) =>
  name
    .split(/[\s\-_.@]+/)
    .slice(0, 2)
    .map((word) => /\p{L}/u.exec(word)?.[0]?.toUpperCase() ?? '')
    .join('');
