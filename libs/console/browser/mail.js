import { html, nothing } from 'lit';
import { call, get, hasMail, isOwner, loadMe, operation, path } from './api.js';
import { actionDialog } from './form.js';
import { connectMicrosoft, mailboxFields, newMailbox } from './mailbox.js';
import { localTime, outside, Page } from './page.js';
import { pagedTable, reload } from './table.js';
import { shown } from './text.js';

/** @typedef {import('./form.js').Values} Values */
/** @typedef {import('./table.js').Column} Column */
/** @typedef {import('./form.js').Field} Field */
/** @typedef {import('@action-platform/contracts').SharedMailbox} SharedMailbox */

/** @type {Column[]} */
const historyColumns = [
  ['Time', ({ logged_at: at }) => localTime(at)],
  ['Subject', ({ view }) => shown(view.subject)],
  [
    'By',
    ({ actor_user_id: user, routine_grant_id: grant }) =>
      html`${shown(user)}${grant ? html`, ${grant}` : nothing}`,
  ],
  [
    'Outcome',
    ({ view }) =>
      html`${view.outcome} ${view.error_code ? html`<a href="/docs/errors/${view.error_code}">${view.error_code}</a>` : nothing}`,
  ],
  [
    'Draft',
    ({ view }) => (view.draft_url ? outside(view.draft_url, 'Open the draft') : shown(view.draft_id)),
  ],
];
/** @type {Column[]} */
const senderColumns = [
  ['Mailbox', ({ display_name: name, email }) => html`${shown(name)}<br>${shown(email)}`],
  ['Id', ({ sender_id: id }) => id],
  ['Available', ({ available }) => yes(available)],
  ['For people', ({ interactive_eligible: is }) => yes(is)],
  ['For jobs', ({ scheduled_eligible: is }) => yes(is)],
];
const yes = (/** @type {boolean} */ is) => (is ? 'yes' : 'no');

/** Mailboxes and drafts. */
class MailPage extends Page {
  /** @override */
  async load() {
    const { members } = isOwner() ? await call(get('/api/v1/members', { limit: '200' })) : { members: [] };
    this.loaded = { members };
  }

  /** After a change of the own mailbox: the role decides with it what this page may ask for. */
  refresh = () => {
    this.attempt(loadMe);
    reload(this);
  };

  /** @override */
  content() {
    return html`<h2>Mailboxes that are connected</h2>
      <p class="pages">${actionDialog(
        'Connect a mailbox',
        {
          label: 'Connect',
          fields: mailboxFields,
          request: (values) => ({
            method: 'POST',
            path: '/api/v1/app-connections',
            body: { app: 'mail_suite', ...newMailbox(values) },
          }),
          done: this.refresh,
        },
        html`<p>It becomes your mailbox, in the place of a former one. Grants bound to that one stop.</p>`,
      )}
      ${actionDialog('Connect Microsoft 365', connectMicrosoft)}</p>
      ${this.table('Connected mailboxes', get('/api/v1/app-connections'), 'connections', [
        ['Mailbox', ({ email }) => shown(email)],
        ['Member', ({ userId }) => shown(userId)],
        ['Kind', ({ provider }) => shown(provider)],
        ['Available', ({ available }) => yes(available)],
        [
          'Disconnect',
          ({ id }) =>
            actionDialog(
              'Disconnect',
              {
                label: 'Disconnect it',
                request: () => ({ method: 'DELETE', path: path`/api/v1/app-connections/${id}` }),
                done: this.refresh,
              },
              html`<p>Grants that need it stop for good.</p>`,
            ),
        ],
      ])}
      ${isOwner() ? this.shared() : nothing}
      ${hasMail() ? html`<h2>Mailboxes that you may draft in</h2>${this.table('Senders', operation('mail.list_authorized_senders'), 'senders', senderColumns)}` : nothing}
      ${hasMail() || isOwner() ? html`<h2>Drafts</h2>${this.table('Attempts to draft, newest first', operation('mail.list_send_history'), 'entries', historyColumns)}` : html`<p>Connect a mailbox to draft e-mails.</p>`}`;
  }

  /** The shared mailboxes of the Workspace, for Owners. */
  shared() {
    const path = '/api/v1/senders';
    const reloaded = () => reload(this);
    return html`<h2>Shared mailboxes</h2>
      ${actionDialog('Add a shared mailbox', {
        label: 'Add',
        fields: [...mailboxFields, ...this.uses()],
        request: (values) => ({ method: 'POST', path, body: { ...newMailbox(values), ...usesOf(values) } }),
        done: reloaded,
      })}
      ${this.table('Shared mailboxes, by address', get(path), 'senders', [
        ['Mailbox', ({ displayName, email }) => html`${shown(displayName)}<br>${shown(email)}`],
        [
          'For',
          ({ members }) =>
            members === null ? 'everyone' : members.map((/** @type {string} */ id) => html`${shown(id)} `),
        ],
        ['People', ({ interactive }) => yes(interactive)],
        ['Jobs', ({ scheduled }) => yes(scheduled)],
        ['Available', ({ available }) => yes(available)],
        [
          'Change',
          (/** @type {SharedMailbox} */ sender) =>
            html`${actionDialog('Change', {
              label: 'Save',
              fields: this.uses(sender),
              request: (values) => ({
                method: 'PATCH',
                path: `${path}/${sender.senderId}`,
                body: usesOf(values),
              }),
              done: reloaded,
            })} ${actionDialog('Remove', {
              label: 'Remove it for everyone',
              request: () => ({ method: 'DELETE', path: `${path}/${sender.senderId}` }),
              done: reloaded,
            })}`,
        ],
      ])}`;
  }

  /** Who may use a shared mailbox. @param {Partial<SharedMailbox>} [sender] @returns {Field[]} */
  uses({ displayName = '', members, everyone = true, interactive = true, scheduled = false } = {}) {
    return [
      { name: 'displayName', label: 'Name beside the address', isRequired: true, value: displayName },
      { name: 'everyone', label: 'Every Member may use it', kind: 'check', value: everyone },
      {
        name: 'members',
        label: 'Members who may use it',
        kind: 'choices',
        options: this.loaded.members.map((/** @type {any} */ { userId, displayName: name }) => [
          userId,
          shown(name ?? userId),
        ]),
        value: members ?? [],
        isShown: (values) => values.everyone === false,
      },
      { name: 'interactive', label: 'For people', kind: 'check', value: interactive },
      { name: 'scheduled', label: 'For jobs', kind: 'check', value: scheduled },
    ];
  }

  /** @param {string} caption @param {import('./api.js').Request} request @param {string} rows @param {Column[]} columns */
  table(caption, request, rows, columns) {
    return pagedTable({ caption, request, rows, columns, empty: 'None.' });
  }
}
customElements.define('mail-page', MailPage);

/** @param {Values} values */
const usesOf = ({ displayName, everyone, members, interactive, scheduled }) => ({
  displayName,
  interactive,
  scheduled,
  ...(everyone ? { everyone: true } : { members }),
});
