import { html, nothing } from 'lit';
import { get, hasMail, isOwner, loadMe, operation, write } from './api.js';
import { memberChoices } from './choices.js';
import { check, choices, field } from './fields.js';
import { actionDialog } from './form.js';
import { connectMicrosoft, mailboxFields, newMailbox } from './mailbox.js';
import { codeLink, idOf, listOf, localTime, outside, Page } from './page.js';
import { pagedTable, reload } from './table.js';
import { shown } from './text.js';

/** @typedef {import('./fields.js').Values} Values */
/** @typedef {import('./table.js').Column} Column */
/** @typedef {import('@action-platform/contracts').SharedMailbox} SharedMailbox */

/** @type {Column[]} */
const historyColumns = [
  ['Time', ({ logged_at: at }) => localTime(at)],
  ['Subject', ({ view }) => shown(view.subject)],
  ['By', ({ actor_user_id: user, routine_grant_id: grant }) => [shown(user), ' ', grant ? idOf(grant) : '']],
  ['Outcome', ({ view }) => [view.outcome, ' ', view.error_code ? codeLink(view.error_code) : '']],
  [
    'Draft',
    ({ view: { draft_url: url, draft_id: id } }) => (url ? outside(url, 'Open the draft') : shown(id)),
  ],
];
/** @type {Column[]} */
const senderColumns = [
  ['Mailbox', ({ display_name: name, email }) => html`${shown(name)}<br>${shown(email)}`],
  ['Id', ({ sender_id: id }) => idOf(id)],
  ['Available', ({ available }) => yes(available)],
  ['For people', ({ interactive_eligible: is }) => yes(is)],
  ['For jobs', ({ scheduled_eligible: is }) => yes(is)],
];
const yes = (/** @type {boolean} */ is) => (is ? 'yes' : 'no');

/** Mailboxes and drafts. */
class MailPage extends Page {
  /** After a change of the own mailbox: the role decides with it what this page may ask for. */
  refresh = () => {
    this.attempt(loadMe);
    reload();
  };

  content() {
    const connections = '/api/v1/app-connections';
    /** @type {import('./form.js').DialogOptions} */
    const connect = {
      text: 'It becomes your mailbox, in the place of a former one. Grants bound to that one stop.',
      label: 'Connect',
      fields: mailboxFields,
      request: (values) => write('POST', connections, { app: 'mail_suite', ...newMailbox(values) }),
      done: this.refresh,
    };
    const disconnect = (/** @type {{ id: string, email: string }} */ { id, email }) => ({
      text: html`Grants that need ${shown(email)} stop for good.`,
      label: 'Disconnect the mailbox',
      request: () => write('DELETE', `${connections}/${id}`),
      done: this.refresh,
    });
    return html`<h2>Mailboxes that are connected</h2>
      <p class="pages">
        ${actionDialog('Connect a mailbox', connect)} ${actionDialog('Connect Microsoft 365', connectMicrosoft)}
      </p>
      ${table('Connected mailboxes', get(connections), 'connections', [
        ['Mailbox', ({ email }) => shown(email)],
        ['Member', ({ userId }) => shown(userId)],
        ['Kind', ({ provider }) => shown(provider)],
        ['Available', ({ available }) => yes(available)],
        ['Disconnect', (row) => actionDialog('Disconnect', disconnect(row))],
      ])}
      ${isOwner() ? this.shared() : nothing}
      ${hasMail() ? html`<h2>Mailboxes that you may draft in</h2>${table('Senders', operation('mail.list_authorized_senders'), 'senders', senderColumns)}` : nothing}
      ${hasMail() || isOwner() ? html`<h2>Drafts</h2>${table('Attempts to draft, newest first', operation('mail.list_send_history'), 'entries', historyColumns)}` : html`<p>Connect a mailbox to draft e-mails.</p>`}`;
  }

  /** The shared mailboxes of the Workspace, for Owners. */
  shared() {
    const all = '/api/v1/senders';
    /** @type {import('./form.js').DialogOptions} */
    const add = {
      text: 'Members whom you choose may make drafts in it.',
      label: 'Add',
      fields: [...mailboxFields, ...useFields()],
      request: (values) => write('POST', all, { ...newMailbox(values), ...usesOf(values) }),
    };
    /** @param {SharedMailbox} sender @returns {import('./form.js').DialogOptions} */
    const change = (sender) => ({
      text: 'The next drafts follow what you save.',
      label: 'Save the mailbox',
      fields: useFields(sender),
      isEdit: true,
      request: (changes) => write('PATCH', `${all}/${sender.senderId}`, usesOf(changes)),
    });
    /** @param {SharedMailbox} sender */
    const remove = ({ senderId, email }) => ({
      text: html`Nobody makes drafts in ${shown(email)} any more.`,
      label: 'Remove it for everyone',
      request: () => write('DELETE', `${all}/${senderId}`),
    });
    return html`<h2>Shared mailboxes</h2>
      ${actionDialog('Add a shared mailbox', add)}
      ${table('Shared mailboxes, by address', get(all), 'senders', [
        ['Mailbox', ({ displayName, email }) => html`${shown(displayName)}<br>${shown(email)}`],
        ['For', ({ members }) => (members === null ? 'everyone' : listOf(members, shown))],
        ['People', ({ interactive }) => yes(interactive)],
        ['Jobs', ({ scheduled }) => yes(scheduled)],
        ['Available', ({ available }) => yes(available)],
        ['Change', (row) => [actionDialog('Change', change(row)), ' ', actionDialog('Remove', remove(row))]],
      ])}`;
  }
}
customElements.define('mail-page', MailPage);

/** The fields that say how a shared mailbox may be used. @param {Partial<SharedMailbox>} [sender] */
const useFields = ({ displayName = '', members, interactive = true, scheduled = false } = {}) => [
  field('displayName', 'Name beside the address', { isRequired: true, value: displayName }),
  choices('members', 'Who may use it', memberChoices, {
    all: 'Every Member, also those to come',
    value: members,
  }),
  check('interactive', 'For people', interactive),
  check('scheduled', 'For jobs', scheduled),
];

/** The uses as the API takes them. @param {Values} values */
const usesOf = ({ displayName, interactive, scheduled, members }) => ({
  displayName,
  interactive,
  scheduled,
  ...(members === null ? { everyone: true } : { members }),
});

/** @param {string} caption @param {import('./api.js').Request} request @param {string} rows @param {Column[]} columns */
const table = (caption, request, rows, columns) =>
  pagedTable({ caption, request, rows, columns, empty: 'None.' });
