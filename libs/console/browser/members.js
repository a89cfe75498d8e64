import { html, nothing } from 'lit';
import { call, get, path } from './api.js';
import { actionDialog, filterForm, optionsOf } from './form.js';
import { ask, factList, localTime, Page } from './page.js';
import { pagedTable, reload } from './table.js';
import { shown } from './text.js';

/** @typedef {import('@action-platform/contracts').Member} Member */
/** @typedef {import('@action-platform/contracts').Grant} Grant */
/** @typedef {import('./form.js').Field} Field */

/** The most grants that the list of what stops names. */
const MOST_NAMED = 50;

/** @type {Field} */
const role = { name: 'role', label: 'Role', kind: 'select', options: optionsOf(['member', 'owner']) };
/** @type {Field} */
const displayName = { name: 'displayName', label: 'Name for people', longest: 100 };
const makesOwner = (/** @type {import('./form.js').Values} */ values) => values.role === 'owner';

/** The Members of the Workspace, for Owners. */
class MembersPage extends Page {
  /** What became of the last removal. @type {unknown} */
  removed = nothing;

  /** @override */
  content() {
    const state = this.query.get('state') ?? 'active';
    const added = this.query.get('add') ?? '';
    return html`${added === '' ? nothing : html`<p>${shown(added)} asks to be added: see that you know who it is.</p>`}
      ${actionDialog('Add a Member', {
        label: 'Add',
        fields: [
          { name: 'userId', label: 'User id at the sign-in provider', isRequired: true, value: added },
          role,
          displayName,
        ],
        request: (body) => ({ method: 'POST', path: '/api/v1/members', body }),
        isFresh: makesOwner,
        done: () => reload(this),
      })}
      ${filterForm('Show', [{ name: 'state', label: 'State', kind: 'select', options: optionsOf(['active', 'removed', 'all']), value: state }], ask)}
      <div role="status">${this.removed}</div>
      ${pagedTable({
        caption: 'Members, by user id',
        request: get('/api/v1/members', { state }),
        rows: 'members',
        columns: this.columns(),
        empty: 'There is no such Member.',
      })}`;
  }

  /** @returns {import('./table.js').Column[]} */
  columns() {
    return [
      ['User id', ({ userId }) => shown(userId)],
      ['Name', ({ displayName }) => shown(displayName)],
      ['Role', (/** @type {Member} */ member) => member.role],
      ['State', (/** @type {Member} */ member) => member.state],
      ['Added', ({ addedAt }) => localTime(addedAt)],
      [
        'Change',
        (member) =>
          member.state === 'active'
            ? html`${this.change(member)} <what-stops .names=${[member.userId]} .removed=${this.tell}></what-stops>`
            : nothing,
      ],
    ];
  }

  /** Says what a removal stopped. @param {{ member: Member, stoppedGrants: number }} answer */
  tell = ({ member, stoppedGrants }) => {
    this.removed = html`<p>${shown(member.userId)} was removed; ${stoppedGrants} grants stopped.</p>`;
    this.requestUpdate();
    reload(this);
  };

  /** @param {Member} member */
  change(member) {
    return actionDialog(
      'Change',
      {
        label: 'Save',
        fields: [
          { ...role, value: member.role },
          { ...displayName, value: member.displayName ?? '' },
        ],
        request: ({ role, displayName = null }) => ({
          method: 'PATCH',
          path: path`/api/v1/members/${member.userId}`,
          body: { ...(role !== member.role && { role }), displayName },
        }),
        isFresh: (values) => makesOwner(values) && member.role !== 'owner',
        done: () => reload(this),
      },
      html`<p>Another role stops every grant of ${shown(member.userId)}.</p>`,
    );
  }
}
customElements.define('members-page', MembersPage);

/** The removal of a Member, after a list of what stops with it. */
class WhatStops extends Page {
  /** @type {MembersPage['tell']} */
  removed = () => {};

  /** Nothing is fetched before somebody asks. @override */
  async load() {
    this.loaded = null;
  }

  async look() {
    const [userId = ''] = this.names;
    const [{ connections }, ...grants] = await Promise.all([
      call(get('/api/v1/app-connections', { userId })),
      ...['routine', 'operation'].map((kind) => activeGrants(kind, userId)),
    ]);
    this.loaded = { connections, grants: grants.flat() };
  }

  /** @override */
  content() {
    const [userId = ''] = this.names;
    if (this.loaded === null)
      return html`<button type="button" @click=${() => this.attempt(() => this.look())}>Remove …</button>`;
    const { connections, grants } = this.loaded;
    const names = grants
      .slice(0, MOST_NAMED)
      .map((/** @type {Grant} */ { id, name }) => html`<li>${shown(name ?? id)}</li>`);
    return html`${factList([
      ['Grants that stop', grants.length === 0 ? 'none' : html`${grants.length}<ul>${names}</ul>`],
      [
        'Mailboxes that draft no more',
        connections.length === 0
          ? 'none'
          : html`<ul>${connections.map((/** @type {any} */ { email }) => html`<li>${shown(email)}</li>`)}</ul>`,
      ],
    ])}
      ${actionDialog(
        'Remove',
        {
          label: 'Remove the Member',
          request: () => ({ method: 'DELETE', path: path`/api/v1/members/${userId}` }),
          done: this.removed,
        },
        html`<p>The next call of ${shown(userId)} fails, and that of ${grants.length} grants. Being added again revives no grant.</p>`,
      )}`;
  }
}
customElements.define('what-stops', WhatStops);

/** The active grants of a Member, page by page. @param {string} kind @param {string} userId */
async function activeGrants(kind, userId) {
  const found = [];
  for (let cursor; cursor !== null; ) {
    const page = await call(get(`/api/v1/${kind}-grants`, { status: 'active', limit: '200', cursor }));
    found.push(...page.grants.filter((/** @type {Grant} */ grant) => grant.userId === userId));
    cursor = page.nextCursor;
  }
  return found;
}
