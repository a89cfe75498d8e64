import { html, nothing } from 'lit';
import { buttonTo, guide, link } from '../../elements/links.js';
import { callerOf, nameOf } from '../../elements/names.js';
import { Page } from '../../elements/page.js';
import { pagedTable, reloadSoon } from '../../elements/table.js';
import { emptyState, stateBadge, timeOf, titled } from '../../elements/view.js';
import { dropOvertaken } from '../../forms/form.js';
import { APPROVAL_RULES, call, canDecide, execute, get, isOwner } from '../../platform/api.js';
import { canBeHeld, exactRules, LAST_CALLS, rulesView } from './rules.js';

/** The statuses in the words of people. */
const STATUSES = {
  pending: 'waits',
  approved: 'approved',
  rejected: 'rejected',
  used: 'executed',
  lapsed: 'lapsed',
};
export const statusWords = (/** @type {keyof typeof STATUSES} */ status) => STATUSES[status];

/** @type {import('../../elements/rows.js').Columns} */
const columns = {
  Call: ({ id, operation }) => titled(link(`approvals/${id}`, nameOf('operation', operation)), operation),
  'Asked by': ({ userId, grantId }) => callerOf(grantId, userId),
  Status: ({ status }) => stateBadge(status, statusWords(status)),
  Asked: ({ requestedAt }) => timeOf(requestedAt),
  Lapses: ({ lapsesAt }) => timeOf(lapsesAt),
  '': (approval) => buttonTo(`approvals/${approval.id}`, canDecide(approval) ? 'Review' : 'Open'),
};

/** The calls that wait for a decision, and the rules. */
export default class ApprovalsPage extends Page {
  async load() {
    this.loaded ??= {};
    if (!isOwner()) return;
    const [saved, { operations }] = await Promise.all([
      call(get(APPROVAL_RULES), { parse: exactRules }),
      call(get('/api/v1/operations')),
    ]);
    const { calls } = this.loaded;
    this.loaded = { ...saved, operations: operations.filter(canBeHeld), calls };
    dropOvertaken(this, saved.revision);
    this.loadCalls();
  }

  /** Loads the last calls. The page does not wait for the audit log: without it, rules can be changed too. */
  async loadCalls() {
    const found = await execute('audit.list_entries', { limit: LAST_CALLS }).catch(() => undefined);
    this.loaded = { ...this.loaded, calls: found?.entries };
    this.requestUpdate();
  }

  head() {
    const mayAsk = globalThis.Notification?.permission === 'default';
    const ask = async () => {
      await Notification.requestPermission();
      this.requestUpdate();
    };
    return {
      about: 'Calls that wait until a person has seen them, and the rules that hold them.',
      actions: mayAsk ? html`<button type="button" @click=${ask}>Notify me</button>` : nothing,
    };
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
      tools: this.choice('Status', 'status', Object.entries(STATUSES)),
      empty:
        status === 'pending'
          ? none
          : emptyState('shield-check', 'There is no such call.', 'Decisions are kept for 40 days.'),
    })}
    ${this.loaded.rules === undefined ? nothing : rulesView(this)}`;
  }
}
