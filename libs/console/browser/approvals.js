import { html, nothing } from 'lit';
import './rules.js';
import { get, isOwner } from './api.js';
import { nameOf } from './names.js';
import { ask, Page } from './page.js';
import { pagedTable, reload } from './table.js';
import { emptyState, guide, link, stateBadge, timeOf } from './view.js';

const STATUSES = ['pending', 'approved', 'rejected', 'used', 'lapsed'];
/** What the statuses are called among people. @type {Record<string, string>} */
export const STATUS_WORDS = { pending: 'waits', used: 'executed' };

/** @type {import('./table.js').Column[]} */
const columns = [
  [
    'Call',
    ({ id, operation }) =>
      html`<strong>${link(`approvals/${id}`, nameOf('operation', operation))}</strong><small>${operation}</small>`,
  ],
  [
    'Asked by',
    ({ userId, grantId }) =>
      grantId
        ? html`${nameOf('grant', grantId)}<small>as ${nameOf('member', userId)}</small>`
        : nameOf('member', userId),
  ],
  ['Status', ({ status }) => stateBadge(status, STATUS_WORDS[status])],
  ['Asked', ({ requestedAt }) => timeOf(requestedAt)],
  ['Lapses', ({ lapsesAt }) => timeOf(lapsesAt)],
  [
    '',
    ({ id, status }) =>
      html`<a class="button small" href="/console/approvals/${id}">${status === 'pending' && isOwner() ? 'Review' : 'Open'}</a>`,
    'end-cell',
  ],
];

/** The calls that wait for an Owner, and the rules. */
class ApprovalsPage extends Page {
  head() {
    return {
      title: this.entry,
      about: 'Calls that wait until a person has seen them, and the rules that hold them.',
    };
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener('platform-event', this.renew);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener('platform-event', this.renew);
  }

  renew = (/** @type {any} */ { detail }) => {
    if (detail.startsWith('approval.') && document.querySelector('dialog[open]') === null) reload();
  };

  content() {
    const status = this.query.get('status') ?? 'pending';
    const choice = (/** @type {string} */ each) =>
      html`<button type="button" aria-pressed=${each === status} @click=${() => ask({ status: each })}>${STATUS_WORDS[each] ?? each}</button>`;
    return html`${pagedTable({
      caption: 'Calls, newest first',
      request: get('/api/v1/approvals', { status }),
      rows: 'approvals',
      columns,
      tools: html`<span class="segments" role="group" aria-label="Status">${STATUSES.map(choice)}</span>`,
      empty:
        status === 'pending'
          ? emptyState(
              'shield-check',
              'No call waits.',
              'When a rule holds a call, an agent gets told to wait, and you see here exactly what it would do.',
              guide('approvals', 'How approvals work'),
            )
          : emptyState('shield-check', 'There is no such call.', 'Decisions are kept for 40 days.'),
    })}
    ${isOwner() ? html`<approval-rules></approval-rules>` : nothing}`;
  }
}
customElements.define('approvals-page', ApprovalsPage);
