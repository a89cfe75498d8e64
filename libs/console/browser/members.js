import { html, nothing } from 'lit';
import { call, get, path, write } from './api.js';
import { grantsWith } from './choices.js';
import { field, optionsOf, select } from './fields.js';
import { actionDialog, filterForm } from './form.js';
import { ask, factList, listOf, localTime, Page } from './page.js';
import { pagedTable, reload } from './table.js';
import { shown } from './text.js';

/** @typedef {import('@action-platform/contracts').Member} Member */

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
    /** @type {import('./form.js').DialogOptions} */
    const change = {
      text: html`Another role stops every grant of ${shown(member.userId)}.`,
      label: 'Save the Member',
      fields: memberFields(member),
      isEdit: true,
      request: (changes) => write('PATCH', path`/api/v1/members/${member.userId}`, changes),
      isFresh: ({ role }) => role === 'owner',
    };
    return html`${actionDialog('Change', change)}
      ${actionDialog('Remove', () => this.removal(member.userId))}`;
  }

  /** The dialog that removes a Member: it lists what stops. @param {string} userId */
  async removal(userId) {
    const [{ connections }, all] = await Promise.all([
      call(get('/api/v1/app-connections', { userId })),
      grantsWith('active'),
    ]);
    const grants = all.filter((grant) => grant.userId === userId);
    const named = listOf(grants.slice(0, MOST_NAMED), ({ id, name }) => shown(name ?? id));
    const others = grants.length > MOST_NAMED ? `and ${grants.length - MOST_NAMED} more` : '';
    return {
      text: html`The next call of ${shown(userId)} fails, and so do those with a grant of theirs. Being added again revives no grant.
        ${factList([
          ['Grants that stop', html`${grants.length || ''} ${named} ${others}`],
          ['Mailboxes that draft no more', listOf(connections, ({ email }) => shown(email))],
        ])}`,
      label: 'Remove the Member',
      request: () => write('DELETE', path`/api/v1/members/${userId}`),
      done: this.removed,
    };
  }
}
customElements.define('members-page', MembersPage);
