import { html, nothing } from 'lit';
import { call, get, path, write } from './api.js';
import { actionDialog, field, filterForm, optionsOf, select } from './form.js';
import { ask, factList, listOf, localTime, Page } from './page.js';
import { pagedTable, reload } from './table.js';
import { shown } from './text.js';

/** @typedef {import('@action-platform/contracts').Member} Member */
/** @typedef {import('@action-platform/contracts').Grant} Grant */

/** The most grants that the list of what stops names. */
const MOST_NAMED = 50;
const ROLES = optionsOf(['member', 'owner']);
const USER_ID = field('userId', 'User id at the sign-in provider', { isRequired: true });
const STATES = optionsOf(['active', 'removed', 'all']);

/** The fields that an Owner gives a Member. @param {Partial<Member>} [member] */
const memberFields = ({ role = 'member', displayName } = {}) => [
  select('role', 'Role', ROLES, role),
  field('displayName', 'Name for people', { longest: 100, value: displayName ?? '' }),
];

/** The Members of the Workspace, for Owners. */
class MembersPage extends Page {
  content() {
    const state = this.query.get('state') ?? 'active';
    const value = this.query.get('add') ?? '';
    return html`${value === '' ? nothing : html`<p>${shown(value)} asks to be added: see that you know who it is.</p>`}
      ${actionDialog('Add a Member', {
        text: 'They can sign in at once, and see what their role allows.',
        label: 'Add',
        fields: [{ ...USER_ID, value }, ...memberFields()],
        request: (body) => write('POST', '/api/v1/members', body),
        isFresh: ({ role }) => role === 'owner',
      })}
      ${filterForm('Show', [select('state', 'State', STATES, state)], ask)}
      ${pagedTable({
        caption: 'Members, by user id',
        request: get('/api/v1/members', { state }),
        rows: 'members',
        columns: [
          ['User id', ({ userId }) => shown(userId)],
          ['Name', ({ displayName }) => shown(displayName)],
          ['Role', ({ role }) => role],
          ['State', ({ state }) => state],
          ['Added', ({ addedAt }) => localTime(addedAt)],
          ['Change', (member) => (member.state === 'active' ? this.changes(member) : nothing)],
        ],
        empty: 'There is no such Member.',
      })}`;
  }

  /** Says what a removal stopped. @param {{ member: Member, stoppedGrants: number }} answer */
  removed = ({ member, stoppedGrants }) => {
    this.show(html`${shown(member.userId)} was removed. Grants that stopped: ${stoppedGrants}.`);
    reload();
  };

  /** @param {Member} member */
  changes(member) {
    const changed = (/** @type {string} */ role) => (role === member.role ? undefined : role);
    /** @type {import('./form.js').DialogOptions} */
    const change = {
      text: html`Another role stops every grant of ${shown(member.userId)}.`,
      label: 'Save the Member',
      fields: memberFields(member),
      request: ({ role, displayName = null }) =>
        write('PATCH', path`/api/v1/members/${member.userId}`, { role: changed(role), displayName }),
      isFresh: ({ role }) => role === 'owner' && member.role !== 'owner',
    };
    return html`${actionDialog('Change', change)}
      <what-stops .names=${[member.userId]} .removed=${this.removed}></what-stops>`;
  }
}
customElements.define('members-page', MembersPage);

/** The removal of a Member, after a list of what stops with it, which is fetched once somebody asks. */
class WhatStops extends Page {
  /** @type {MembersPage['removed']} */
  removed = () => {};

  async look() {
    const [userId = ''] = this.names;
    const [{ connections }, ...grants] = await Promise.all([
      call(get('/api/v1/app-connections', { userId })),
      ...['routine', 'operation'].map((kind) => activeGrants(kind, userId)),
    ]);
    this.loaded = { connections, grants: grants.flat() };
  }

  content() {
    const [userId = ''] = this.names;
    if (this.loaded === null)
      return html`<button type="button" @click=${() => this.attempt(() => this.look())}>Remove …</button>`;
    const { connections, grants } = this.loaded;
    const named = listOf(grants.slice(0, MOST_NAMED), ({ id, name }) => shown(name ?? id));
    const removal = {
      text: html`The next call of ${shown(userId)} fails, and so do those with a grant of theirs (${grants.length}). Being added again revives no grant.`,
      label: 'Remove the Member',
      request: () => write('DELETE', path`/api/v1/members/${userId}`),
      done: this.removed,
    };
    return html`${factList([
      ['Grants that stop', html`${grants.length || ''} ${named}`],
      ['Mailboxes that draft no more', listOf(connections, ({ email }) => shown(email))],
    ])}
      ${actionDialog('Remove', removal)}`;
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
