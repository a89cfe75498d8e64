import { html, nothing } from 'lit';
import { get, hasMail, isOwner, loadMe, operation, write } from './api.js';
import { memberChoices } from './choices.js';
import { actionDialog } from './dialog.js';
import { check, choices, field } from './fields.js';
import { connectMicrosoft, mailboxFields, newMailbox } from './mailbox.js';
import { nameOf } from './names.js';
import { Page } from './page.js';
import { pagedTable, reload } from './table.js';
import { shown } from './text.js';
import { badge, codeLink, emptyState, guide, idOf, listOf, outside, stateBadge, timeOf } from './view.js';

/** @typedef {import('./edits.js').Values} Values */
/** @typedef {import('./table.js').Column} Column */
/** @typedef {import('@action-platform/contracts').SharedMailbox} SharedMailbox */

const CONNECTIONS = '/api/v1/app-connections';
const SENDERS = '/api/v1/senders';

const available = (/** @type {{ available: boolean }} */ row) =>
  row.available ? badge('available', 'good') : badge('not available', 'bad');
const uses = (/** @type {boolean} */ isForPeople, /** @type {boolean} */ isForJobs) =>
  [isForPeople ? 'people' : '', isForJobs ? 'jobs' : ''].filter(Boolean).join(' and ') || 'nobody';

/** @type {Column[]} */
const historyColumns = [
  [
    'Subject',
    ({ view }) =>
      html`<strong>${shown(view.subject)}</strong><small>${view.recipient_count} ${view.recipient_count === 1 ? 'recipient' : 'recipients'}</small>`,
  ],
  [
    'By',
    ({ actor_user_id: user, routine_grant_id: grant }) =>
      grant
        ? html`${nameOf('grant', grant)}<small>as ${nameOf('member', user)}</small>`
        : nameOf('member', user),
  ],
  [
    'Outcome',
    ({ view }) =>
      html`${stateBadge(view.outcome)} <small>${view.error_code ? codeLink(view.error_code) : nothing}</small>`,
  ],
  ['Time', ({ logged_at: at }) => timeOf(at)],
  [
    'Draft',
    ({ view: { draft_url: url, draft_id: id } }) =>
      url ? outside(url, 'Open the draft') : id ? idOf(id) : '–',
  ],
];
/** @type {Column[]} */
const senderColumns = [
  [
    'Mailbox',
    ({ display_name: name, email }) => html`<strong>${shown(name)}</strong><small>${shown(email)}</small>`,
  ],
  ['Id', ({ sender_id: id }) => idOf(id)],
  [
    'For',
    ({ interactive_eligible: isForPeople, scheduled_eligible: isForJobs }) => uses(isForPeople, isForJobs),
  ],
  ['State', available],
];

/** Mailboxes and drafts. */
class MailPage extends Page {
  head() {
    /** @type {import('./dialog.js').DialogOptions} */
    const connect = {
      text: 'It becomes your mailbox, in the place of a former one. Grants bound to that one stop.',
      label: 'Connect',
      fields: mailboxFields,
      request: (values) => write('POST', CONNECTIONS, { app: 'mail_suite', ...newMailbox(values) }),
      done: this.refresh,
    };
    return {
      title: this.entry,
      about: 'Agents make drafts, people send them.',
      actions: html`${actionDialog('Connect Microsoft 365', connectMicrosoft, {})} ${actionDialog('Connect a mailbox', connect, { icon: 'plus', tone: 'primary' })}`,
    };
  }

  /** After a change of the own mailbox: the role decides with it what this page may ask for. */
  refresh = () => {
    this.attempt(loadMe);
    reload();
  };

  content() {
    const disconnect = (/** @type {{ id: string, email: string }} */ { id, email }) => ({
      text: html`Grants that need ${shown(email)} stop for good.`,
      label: 'Disconnect the mailbox',
      look: 'danger',
      request: () => write('DELETE', `${CONNECTIONS}/${id}`),
      done: this.refresh,
    });
    const drafts = table(
      'Attempts to draft, newest first',
      operation('mail.list_send_history'),
      'entries',
      historyColumns,
      emptyState(
        'mail',
        'No draft was made yet',
        'A draft that an agent makes waits in the mailbox until a person sends it.',
        guide('mailboxes', 'How mailboxes work'),
      ),
      ({ view }) => `${view.subject} ${view.outcome}`,
    );
    return html`${hasMail() || isOwner() ? drafts : emptyState('mail', 'No mailbox is connected', 'Connect one above, and agents may make drafts in it for you.', guide('mailboxes', 'How mailboxes work'))}
      ${hasMail() ? table('Mailboxes that you may draft in', operation('mail.list_authorized_senders'), 'senders', senderColumns, none('No mailbox may be drafted in yet'), ({ display_name: name, email }) => `${name} ${email}`) : nothing}
      ${table(
        'Connected mailboxes',
        get(CONNECTIONS),
        'connections',
        [
          ['Mailbox', ({ email }) => html`<strong>${shown(email)}</strong>`],
          ['Member', ({ userId }) => nameOf('member', userId)],
          ['Kind', ({ provider }) => shown(provider)],
          ['State', available],
          ['', (row) => actionDialog('Disconnect', disconnect(row), { tone: 'small danger' }), 'end-cell'],
        ],
        none('No mailbox is connected yet'),
        ({ email, userId }) => `${email} ${userId}`,
      )}
      ${isOwner() ? shared() : nothing}`;
  }
}
customElements.define('mail-page', MailPage);

/** @param {string} title */
const none = (title) => html`<div class="empty"><h2>${title}</h2></div>`;

/** The shared mailboxes of the Workspace, for Owners. */
function shared() {
  /** @type {import('./dialog.js').DialogOptions} */
  const add = {
    text: 'Members whom you choose may make drafts in it.',
    label: 'Add',
    fields: [...mailboxFields, ...useFields()],
    request: (values) => write('POST', SENDERS, { ...newMailbox(values), ...usesOf(values) }),
  };
  /** @param {SharedMailbox} sender @returns {import('./dialog.js').DialogOptions} */
  const change = (sender) => ({
    text: 'The next drafts follow what you save.',
    label: 'Save the mailbox',
    fields: useFields(sender),
    isEdit: true,
    request: (changes) => write('PATCH', `${SENDERS}/${sender.senderId}`, usesOf(changes)),
  });
  /** @param {SharedMailbox} sender */
  const remove = ({ senderId, email }) => ({
    text: html`Nobody makes drafts in ${shown(email)} any more.`,
    label: 'Remove it for everyone',
    look: 'danger',
    request: () => write('DELETE', `${SENDERS}/${senderId}`),
  });
  /** @type {Column[]} */
  const columns = [
    [
      'Mailbox',
      ({ displayName, email }) => html`<strong>${shown(displayName)}</strong><small>${shown(email)}</small>`,
    ],
    [
      'Members',
      ({ members }) => (members === null ? 'everyone' : listOf(members, (id) => nameOf('member', id))),
    ],
    ['For', ({ interactive, scheduled }) => uses(interactive, scheduled)],
    ['State', available],
    [
      '',
      (row) =>
        html`<span class="pages">${actionDialog('Change', change(row))} ${actionDialog('Remove', remove(row), { tone: 'small danger' })}</span>`,
      'end-cell',
    ],
  ];
  return table(
    'Shared mailboxes, by address',
    get(SENDERS),
    'senders',
    columns,
    none('No mailbox is shared yet'),
    ({ email, displayName }) => `${email} ${displayName}`,
    actionDialog('Add a shared mailbox', add),
  );
}

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

/** @param {string} caption @param {import('./api.js').Request} request @param {string} rows @param {Column[]} columns @param {unknown} empty @param {(row: any) => string} words @param {unknown} [tools] */
const table = (caption, request, rows, columns, empty, words, tools) =>
  pagedTable({ caption, request, rows, columns, empty, words, tools, isWhole: true });
