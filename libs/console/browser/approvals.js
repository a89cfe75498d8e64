import { html, nothing } from 'lit';
import { call, get, isOwner } from './api.js';
import { callerOf, nameOf } from './names.js';
import { Page } from './page.js';
import { canBeHeld, PATH, rulesView } from './rules.js';
import { pagedTable, reloadSoon } from './table.js';
import { buttonTo, emptyState, guide, link, stateBadge, timeOf, titled } from './view.js';

/** The statuses in the words of people. */
const STATUSES = Object.entries({
  pending: 'waits',
  approved: 'approved',
  rejected: 'rejected',
  used: 'executed',
  lapsed: 'lapsed',
});
/** @param {string} status */
export const statusWords = (status) => new Map(STATUSES).get(status) ?? status;

/** @type {import('./table.js').Columns} */
const columns = {
  Call: ({ id, operation }) => titled(link(`approvals/${id}`, nameOf('operation', operation)), operation),
  'Asked by': ({ userId, grantId }) => callerOf(grantId, userId),
  Status: ({ status }) => stateBadge(status, statusWords(status)),
  Asked: ({ requestedAt }) => timeOf(requestedAt),
  Lapses: ({ lapsesAt }) => timeOf(lapsesAt),
  '': ({ id, status }) => buttonTo(`approvals/${id}`, status === 'pending' && isOwner() ? 'Review' : 'Open'),
};

/** The calls that wait for an Owner, and the rules. */
export class ApprovalsPage extends Page {
  async load() {
    this.loaded ??= {};
    if (!isOwner()) return;
    const [saved, { operations }] = await Promise.all([call(get(PATH)), call(get('/api/v1/operations'))]);
    this.loaded = { ...saved, operations: operations.filter(canBeHeld) };
  }

  head() {
    return { about: 'Calls that wait until a person has seen them, and the rules that hold them.' };
  }

  /** @param {string} type */
  follow(type) {
    if (type.startsWith('approval.')) reloadSoon(0);
  }

  content() {
    const { status = 'pending' } = this.asked;
    const none = emptyState(
      'shield-check',
      'No call waits.',
      'When a rule holds a call, an agent gets told to wait, and you see here exactly what it would do.',
      guide('approvals', 'How approvals work'),
    );
    return html`${pagedTable({
      caption: 'Calls, newest first',
      request: get('/api/v1/approvals', { status }),
      rows: 'approvals',
      columns,
      tools: this.choice('Status', 'status', STATUSES),
      empty:
        status === 'pending'
          ? none
          : emptyState('shield-check', 'There is no such call.', 'Decisions are kept for 40 days.'),
    })}
    ${this.loaded.rules === undefined ? nothing : rulesView(this)}`;
  }
}
