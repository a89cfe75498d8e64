import { html, nothing } from 'lit';
import { call, get, path, write } from './api.js';
import { grantsWith } from './choices.js';
import { actionDialog } from './dialog.js';
import { field, optionsOf, select } from './fields.js';
import { ask, Page } from './page.js';
import { pagedTable, reload } from './table.js';
import { shown } from './text.js';
import { badge, callout, factList, link, listOf, stateBadge, timeOf } from './view.js';

/** @typedef {import('@action-platform/contracts').Member} Member */

/** The most grants that the list of what stops names. */
const MOST_NAMED = 50;
const STATES = ['active', 'removed', 'all'];

/** The fields that an Owner gives a Member. @param {Partial<Member>} [member] */
const memberFields = ({ role = 'member', displayName } = {}) => [
  select('role', 'Role', optionsOf(['member', 'owner']), role),
  field('displayName', 'Name for people', { longest: 100, value: displayName ?? '' }),
];

/** The Members of the Workspace, for Owners. */
class MembersPage extends Page {
  head() {
    const userId = this.query.get('add') ?? '';
    return {
      title: this.entry,
      about: 'The people of the Workspace. Owners decide and manage; Members work.',
      actions: actionDialog(
        'Add a Member',
        {
          text: 'They can sign in at once, and see what their role allows.',
          label: 'Add',
          fields: [
            field('userId', 'User id at the sign-in provider', { isRequired: true, value: userId }),
            ...memberFields(),
          ],
          request: (body) => write('POST', '/api/v1/members', body),
          isFresh: ({ role }) => role === 'owner',
        },
        { icon: 'plus', tone: 'primary' },
      ),
    };
  }

  content() {
    const state = this.query.get('state') ?? 'active';
    const asks = this.query.get('add') ?? '';
    const choice = (/** @type {string} */ each) =>
      html`<button type="button" aria-pressed=${each === state} @click=${() => ask({ state: each })}>${each}</button>`;
    return html`${asks === '' ? nothing : callout('Somebody asks to be added', html`<p>${shown(asks)}: see that you know who it is, then <em>Add a Member</em>.</p>`)}
      ${pagedTable({
        caption: 'Members, by user id',
        request: get('/api/v1/members', { state }),
        rows: 'members',
        words: ({ userId, displayName }) => `${userId} ${displayName ?? ''}`,
        sought: this.query.get('q') ?? '',
        tools: html`<span class="segments" role="group" aria-label="State">${STATES.map(choice)}</span>`,
        columns: [
          [
            'Name',
            ({ displayName, userId }) =>
              html`<strong>${shown(displayName ?? userId)}</strong><small>${shown(userId)}</small>`,
          ],
          ['Role', ({ role }) => stateBadge(role)],
          ['State', ({ state }) => (state === 'active' ? badge('active', 'good') : badge('removed'))],
          ['Added', ({ addedAt }) => timeOf(addedAt)],
          ['', (member) => (member.state === 'active' ? this.changes(member) : nothing), 'end-cell'],
        ],
        empty: html`<div class="empty"><p>There is no such Member.</p></div>`,
      })}`;
  }

  /** Says what a removal stopped. @param {{ member: Member, stoppedGrants: number }} answer */
  removed = ({ member, stoppedGrants }) => {
    this.show(html`${shown(member.userId)} was removed. Grants that stopped: ${stoppedGrants}.`);
    reload();
  };

  /** @param {Member} member */
  changes(member) {
    /** @type {import('./dialog.js').DialogOptions} */
    const change = {
      text: html`Another role stops every grant of ${shown(member.userId)}.`,
      label: 'Save the Member',
      fields: memberFields(member),
      isEdit: true,
      request: (changes) => write('PATCH', path`/api/v1/members/${member.userId}`, changes),
      isFresh: ({ role }) => role === 'owner',
    };
    return html`<span class="pages"><a class="button small quiet" href="/console/audit?${new URLSearchParams({ user_id: member.userId })}">Calls</a>
      ${actionDialog('Change', change)} ${actionDialog('Remove', () => this.removal(member.userId), { tone: 'small danger' })}</span>`;
  }

  /** The dialog that removes a Member: it lists what stops. @param {string} userId @returns {Promise<import('./dialog.js').DialogOptions>} */
  async removal(userId) {
    const [{ connections }, all] = await Promise.all([
      call(get('/api/v1/app-connections', { userId })),
      grantsWith('active'),
    ]);
    const grants = all.filter((grant) => grant.userId === userId);
    const named = listOf(grants.slice(0, MOST_NAMED), ({ id, name }) => shown(name ?? id));
    const others =
      grants.length > MOST_NAMED
        ? html`and ${grants.length - MOST_NAMED} more: ${link(`grants?q=${encodeURIComponent(userId)}`, 'all')}`
        : nothing;
    return {
      text: html`<p>The next call of ${shown(userId)} fails, and so do those with a grant of theirs. Being added again revives no grant.</p>
        ${factList([
          ['Grants that stop', html`${grants.length || ''} ${named} ${others}`],
          ['Mailboxes that draft no more', listOf(connections, ({ email }) => shown(email))],
        ])}`,
      label: 'Remove the Member',
      look: 'danger',
      request: () => write('DELETE', path`/api/v1/members/${userId}`),
      done: this.removed,
    };
  }
}
customElements.define('members-page', MembersPage);
