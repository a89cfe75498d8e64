import { html, nothing } from 'lit';
import './new-grant.js';
import { get, isOwner, me, path, write } from './api.js';
import { actionDialog, filterForm, optionsOf, select } from './form.js';
import { ask, localTime, Page } from './page.js';
import { pagedTable, reload } from './table.js';
import { shown } from './text.js';

/** @typedef {import('@action-platform/contracts').Grant} Grant */

const KINDS = /** @type {const} */ ([
  ['routine', 'routine grants'],
  ['operation', 'operation grants'],
]);

const STATUSES = optionsOf(['active', 'expired', 'revoked', 'stopped'], 'any');

/** The grants that the signed-in Member may see. */
class GrantsPage extends Page {
  /** @override */
  content() {
    const kind = this.query.get('kind') === 'operation' ? 'operation' : 'routine';
    const status = this.query.get('status') ?? '';
    return html`<new-grant .made=${() => reload(this)}></new-grant>
      ${filterForm('Show', [select('kind', 'Kind', KINDS, kind), select('status', 'Status', STATUSES, status)], ask)}
      ${pagedTable({
        caption: isOwner() ? 'Grants of the Workspace, newest first' : 'Your grants, newest first',
        request: get(`/api/v1/${kind}-grants`, { status }),
        rows: 'grants',
        columns: this.columns(kind),
        empty: 'There is no such grant.',
      })}`;
  }

  /** @param {string} kind @returns {import('./table.js').Column[]} */
  columns(kind) {
    /** @type {import('./table.js').Column} */
    const member = ['Member', ({ userId }) => shown(userId)];
    const calls = (/** @type {Grant} */ { id, userId }) =>
      html`<a href="/console/${isOwner() && userId !== me.userId ? 'audit' : 'requests'}?grant_id=${id}">its calls</a>`;
    return [
      ['Name', ({ name, id }) => html`${shown(name)}<br><small>${id}</small>`],
      ...(isOwner() ? [member] : []),
      ['Allows', allows],
      [
        'Status',
        ({ status, stoppedReason: why }) => `${status}${why ? `: ${why.replaceAll('_', ' ')}` : ''}`,
      ],
      ['Last used', ({ lastUsedAt }) => localTime(lastUsedAt)],
      ['Ends', ({ expiresAt }) => localTime(expiresAt)],
      ['Secret', ({ secretHint }) => html`<code>… ${secretHint}</code>`],
      ['Calls', calls],
      ['Revoke', (grant) => (grant.status === 'active' ? this.revocation(kind, grant) : nothing)],
    ];
  }

  /** @param {string} kind @param {Grant} grant */
  revocation(kind, { id, name }) {
    return actionDialog(
      'Revoke',
      {
        label: 'Revoke it for good',
        request: () => write('DELETE', path`/api/v1/${kind}-grants/${id}`),
        done: () => reload(this),
      },
      html`<p>The next call with ${shown(name ?? id)} fails.</p>`,
    );
  }
}
customElements.define('grants-page', GrantsPage);

/** The scope of a grant. @param {Grant} grant */
function allows(grant) {
  if (grant.kind === 'operation') return grant.operationScope;
  const {
    operations,
    data,
    maximumCadence: { invocations, periodSeconds },
    outputDefinition,
  } = grant;
  const reached = Object.values(data).flat();
  return html`<details><summary>${operations.length} operations, ${invocations} runs in ${periodSeconds} s</summary>
    <ul>${[...operations, ...reached].map((each) => html`<li>${shown(each)}</li>`)}</ul>
    ${outputDefinition === null ? nothing : html`<p>For ${shown(outputDefinition)}</p>`}
  </details>`;
}
