import { html, nothing } from 'lit';
import { codeLink, guide, outside } from '../../elements/links.js';
import { callerOf, directories, nameOf } from '../../elements/names.js';
import { Page } from '../../elements/page.js';
import { pagedTable, reload } from '../../elements/table.js';
import { badge, countOf, emptyState, idOf, listOf, stateBadge, timeOf, titled } from '../../elements/view.js';
import { actionDialog } from '../../forms/dialog.js';
import { check, choices, field } from '../../forms/fields.js';
import { get, hasMail, isOwner, loadMe, operation, write } from '../../platform/api.js';
import { shown } from '../../text/text.js';
import { connectMicrosoft, mailboxFields, newMailbox } from './mailbox.js';

/** @typedef {import('@action-platform/contracts/resources').SharedMailbox} SharedMailbox */

const CONNECTIONS = '/api/v1/app-connections';
const SENDERS = '/api/v1/senders';

const available = (/** @type {{ available: boolean }} */ row) =>
  row.available ? badge('available', 'good') : badge('not available', 'bad');
const usesOf = (/** @type {boolean} */ isForPeople, /** @type {boolean} */ isForJobs) =>
  [isForPeople ? 'people' : '', isForJobs ? 'jobs' : ''].filter(Boolean).join(' and ') || 'nobody';

/** Mailboxes and drafts. */
export default class MailPage extends Page {
  head() {
    const connect = actionDialog({
      opens: 'Connect a mailbox',
      tone: 'primary',
      text: 'It becomes your mailbox, in the place of a former one. Grants bound to that one stop.',
      label: 'Connect',
      fields: mailboxFields,
      request: (values) => write('POST', CONNECTIONS, { app: 'mail_suite', ...newMailbox(values) }),
      done: this.refresh,
    });
    return { about: 'Agents make drafts, people send them.', actions: [connectMicrosoft, connect] };
  }

  /** After a change of the own mailbox: the role decides with it what this page may ask for. */
  refresh = () => {
    this.attempt(loadMe);
    reload();
  };

  content() {
    const how = guide('mailboxes', 'How mailboxes work');
    const why = 'Connect one above, and agents may make drafts in it for you.';
    const first = emptyState('mail', 'No mailbox is connected', why, how);
    return html`${hasMail() || isOwner() ? drafts(how) : first}
      ${hasMail() ? senders : nothing}
      ${this.connections()}
      ${isOwner() ? shared : nothing}`;
  }

  /** The mailboxes that Members connected. */
  connections() {
    const disconnect = (/** @type {{ id: string, email: string }} */ { id, email }) =>
      actionDialog({
        opens: 'Disconnect',
        tone: 'danger',
        text: html`Grants that need ${shown(email)} stop for good.`,
        label: 'Disconnect the mailbox',
        request: () => write('DELETE', `${CONNECTIONS}/${id}`),
        done: this.refresh,
      });
    return pagedTable({
      caption: 'Connected mailboxes',
      request: get(CONNECTIONS),
      rows: 'connections',
      isWhole: true,
      words: ({ email, userId }) => [email, userId],
      columns: {
        Mailbox: ({ email }) => html`<strong>${shown(email)}</strong>`,
        Member: ({ userId }) => nameOf('member', userId),
        Kind: ({ provider }) => shown(provider),
        State: available,
        '': disconnect,
      },
      empty: emptyState('', 'No mailbox is connected yet'),
    });
  }
}

/** The attempts to draft. @param {unknown} how a link to the guide */
const drafts = (how) =>
  pagedTable({
    caption: 'Attempts to draft, newest first, at most 500',
    request: operation('mail.list_send_history'),
    rows: 'entries',
    isWhole: true,
    words: ({ view }) => [view.subject, view.outcome],
    columns: {
      Subject: ({ view }) => titled(shown(view.subject), countOf(view.recipient_count, 'recipient')),
      By: ({ actor_user_id: user, routine_grant_id: grant }) => callerOf(grant, user),
      Outcome: ({ view }) =>
        html`${stateBadge(view.outcome)} <small>${view.error_code ? codeLink(view.error_code) : nothing}</small>`,
      Time: ({ logged_at: at }) => timeOf(at),
      Draft: ({ view: { draft_url: url, draft_id: id } }) =>
        url ? outside(url, 'Open the draft') : id ? idOf(id) : '–',
    },
    empty: emptyState(
      'mail',
      'No draft was made yet',
      'A draft that an agent makes waits in the mailbox until a person sends it.',
      how,
    ),
  });

/** The mailboxes that the Member may draft in. */
const senders = pagedTable({
  caption: 'Mailboxes that you may draft in',
  request: operation('mail.list_authorized_senders'),
  rows: 'senders',
  isWhole: true,
  words: ({ display_name: name, email }) => [name, email],
  columns: {
    Mailbox: ({ display_name: name, email }) => titled(shown(name), shown(email)),
    Id: ({ sender_id: id }) => idOf(id),
    For: ({ interactive_eligible: isForPeople, scheduled_eligible: isForJobs }) =>
      usesOf(isForPeople, isForJobs),
    State: available,
  },
  empty: emptyState('', 'No mailbox may be drafted in yet'),
});

/** The fields that say how a shared mailbox may be used. @param {Partial<SharedMailbox>} [sender] */
const useFields = ({ displayName = '', members, interactive = true, scheduled = false } = {}) => [
  field('displayName', 'Name beside the address', { isRequired: true, value: displayName }),
  choices('members', 'Who may use it', directories.member.choices, {
    all: 'Every Member, also those to come',
    value: members,
  }),
  check('interactive', 'For people', interactive),
  check('scheduled', 'For jobs', scheduled),
];

/** The uses as the API takes them. @param {import('../../forms/edits.js').Values} values */
const useOf = ({ displayName, interactive, scheduled, members }) => ({
  displayName,
  interactive,
  scheduled,
  ...(members === null ? { everyone: true } : { members }),
});

const addShared = actionDialog({
  opens: 'Add a shared mailbox',
  text: 'Members whom you choose may make drafts in it.',
  label: 'Add',
  fields: [...mailboxFields, ...useFields()],
  request: (values) => write('POST', SENDERS, { ...newMailbox(values), ...useOf(values) }),
});

/** @param {SharedMailbox} sender */
function changesOf(sender) {
  const change = actionDialog({
    opens: 'Change',
    text: 'The next drafts follow what you save.',
    label: 'Save the mailbox',
    fields: useFields(sender),
    isEdit: true,
    request: (changes) => write('PATCH', `${SENDERS}/${sender.senderId}`, useOf(changes)),
  });
  const removal = actionDialog({
    opens: 'Remove',
    tone: 'danger',
    text: html`Nobody makes drafts in ${shown(sender.email)} any more.`,
    label: 'Remove it for everyone',
    request: () => write('DELETE', `${SENDERS}/${sender.senderId}`),
  });
  return html`<span class="pages">${change} ${removal}</span>`;
}

/** The shared mailboxes of the Workspace, for Owners. */
const shared = pagedTable({
  caption: 'Shared mailboxes, by address',
  request: get(SENDERS),
  rows: 'senders',
  isWhole: true,
  words: ({ email, displayName }) => [email, displayName],
  tools: addShared,
  columns: {
    Mailbox: ({ displayName, email }) => titled(shown(displayName), shown(email)),
    Members: ({ members }) => (members === null ? 'everyone' : listOf(members, (id) => nameOf('member', id))),
    For: ({ interactive, scheduled }) => usesOf(interactive, scheduled),
    State: available,
    '': changesOf,
  },
  empty: emptyState('', 'No mailbox is shared yet'),
});
