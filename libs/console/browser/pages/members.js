import { html, nothing } from 'lit';
import { buttonTo, link } from '../elements/links.js';
import { Page } from '../elements/page.js';
import { pagedTable, reload } from '../elements/table.js';
import {
  callout,
  emptyState,
  factList,
  listOf,
  optionsOf,
  stateBadge,
  timeOf,
  titled,
} from '../elements/view.js';
import { actionDialog } from '../forms/dialog.js';
import { field, select } from '../forms/fields.js';
import { call, get, path, queryOf, write } from '../platform/api.js';
import { GRANT_KINDS, grantsWith } from '../platform/listing.js';
import { shown } from '../text/text.js';

/** @typedef {import('@action-platform/contracts/resources').Member} Member */

/** The most grants that the list of what stops names. */
const MOST_NAMED = 50;
const STATES = optionsOf(['active', 'removed', 'all']);

/** The fields of a Member that an Owner sets. @param {Partial<Member>} [member] */
const memberFields = ({ role = 'member', displayName } = {}) => [
  select('role', 'Role', optionsOf(['member', 'owner']), role),
  field('displayName', 'Name for people', { longest: 100, value: displayName ?? '' }),
];
const isFresh = (/** @type {import('../forms/edits.js').Values} */ { role }) => role === 'owner';

/** The Members of the Workspace, for Owners. */
export default class MembersPage extends Page {
  head() {
    const id = field('userId', 'User id at the sign-in provider', {
      isRequired: true,
      value: this.asked.add,
    });
    const add = actionDialog({
      opens: 'Add a Member',
      tone: 'primary',
      text: 'They can sign in at once, and see what their role allows.',
      label: 'Add',
      fields: [id, ...memberFields()],
      request: (body) => write('POST', '/api/v1/members', body),
      isFresh,
    });
    return { about: 'The people of the Workspace. Owners decide and manage; Members work.', actions: add };
  }

  content() {
    const { state = 'active', add, q } = this.asked;
    const asking = html`<p>${shown(add)}: make sure that you know who it is, then choose <em>Add a Member</em>.</p>`;
    return html`${add ? callout('Somebody asks to be added', asking) : nothing}
      ${pagedTable({
        caption: 'Members, by user id',
        request: get('/api/v1/members', { state }),
        rows: 'members',
        words: ({ userId, displayName }) => [userId, displayName],
        sought: q,
        tools: this.choice('State', 'state', STATES),
        columns: {
          Name: ({ displayName, userId }) => titled(shown(displayName ?? userId), shown(userId)),
          Role: ({ role }) => stateBadge(role),
          State: ({ state }) => stateBadge(state),
          Added: ({ addedAt }) => timeOf(addedAt),
          '': (member) => (member.state === 'active' ? this.changes(member) : nothing),
        },
        empty: emptyState('', 'There is no such Member.'),
      })}`;
  }

  /** @param {Member} member */
  changes(member) {
    const { userId } = member;
    const change = actionDialog({
      opens: 'Change',
      text: html`Another role stops every grant of ${shown(userId)}.`,
      label: 'Save the Member',
      fields: memberFields(member),
      isEdit: true,
      request: (changes) => write('PATCH', path`/api/v1/members/${userId}`, changes),
      isFresh,
    });
    const removal = actionDialog({ opens: 'Remove', tone: 'danger', fetch: () => this.removal(userId) });
    return html`<span class="pages">${buttonTo(`audit?${queryOf({ user_id: userId })}`, 'Calls', 'quiet')} ${change} ${removal}</span>`;
  }

  /** The dialog that removes a Member lists what stops. @param {string} userId @returns {Promise<import('../forms/dialog.js').Content>} */
  async removal(userId) {
    const [{ connections }, active] = await Promise.all([
      call(get('/api/v1/app-connections', { userId })),
      grantsWith('active'),
    ]);
    const grants = active.filter((grant) => grant.userId === userId);
    const more = grants.length - MOST_NAMED;
    const named = listOf(grants.slice(0, MOST_NAMED), ({ id, name }) => shown(name ?? id));
    const all = GRANT_KINDS.map((kind) => [link(`grants?${queryOf({ kind, q: userId })}`, kind), ' ']);
    const others = more > 0 ? html`and ${more} more: ${all}` : nothing;
    return {
      text: html`<p>The next call of ${shown(userId)} fails, and so do those with a grant of theirs. Being added again revives no grant.</p>
        ${factList([
          ['Grants that stop', html`${grants.length || ''} ${named} ${others}`],
          ['Mailboxes that draft no more', listOf(connections, ({ email }) => shown(email))],
        ])}`,
      label: 'Remove the Member',
      tone: 'danger',
      request: () => write('DELETE', path`/api/v1/members/${userId}`),
      done: ({ stoppedGrants }) => {
        this.show(html`${shown(userId)} was removed. Grants that stopped: ${stoppedGrants}.`);
        reload();
      },
    };
  }
}
