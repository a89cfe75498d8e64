import { html, nothing } from 'lit';
import './rules.js';
import { get, isOwner } from './api.js';
import { optionsOf, select } from './fields.js';
import { filterForm } from './form.js';
import { ask, idOf, link, localTime, Page } from './page.js';
import { pagedTable } from './table.js';
import { shown } from './text.js';

/** @type {import('./table.js').Column[]} */
const columns = [
  ['Call', ({ id, operation }) => link(`approvals/${id}`, shown(operation))],
  ['For', ({ userId, grantId }) => [shown(userId), ' ', grantId ? idOf(grantId) : nothing]],
  ['Status', ({ status }) => status],
  ['Asked', ({ requestedAt }) => localTime(requestedAt)],
  ['Lapses', ({ lapsesAt }) => localTime(lapsesAt)],
];

/** The calls that wait for an Owner, and the rules. */
class ApprovalsPage extends Page {
  content() {
    const status = this.query.get('status') ?? 'pending';
    const options = optionsOf(['pending', 'approved', 'rejected', 'used', 'lapsed']);
    return html`${filterForm('Show', [select('status', 'Status', options, status)], ask)}
      ${pagedTable({
        caption: 'Calls, newest first',
        request: get('/api/v1/approvals', { status }),
        rows: 'approvals',
        columns,
        empty: status === 'pending' ? 'No call waits.' : 'There is no such call.',
      })}
      ${isOwner() ? html`<approval-rules></approval-rules>` : nothing}`;
  }
}
customElements.define('approvals-page', ApprovalsPage);
