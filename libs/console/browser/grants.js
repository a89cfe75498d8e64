import { html, nothing } from 'lit';
import './new-grant.js';
import { get, isOwner, me, path, write } from './api.js';
import { optionsOf, select } from './fields.js';
import { actionDialog, filterForm } from './form.js';
import { ask, idOf, localTime, Page } from './page.js';
import { pagedTable } from './table.js';
import { amount, shown } from './text.js';

/** @typedef {import('@action-platform/contracts').Grant} Grant */

const KINDS = optionsOf(['routine', 'operation'], 'any');
const STATUSES = optionsOf(['active', 'expired', 'revoked', 'stopped'], 'any');

/** The grants that the signed-in Member may see. */
class GrantsPage extends Page {
  content() {
    const kind = this.query.get('kind') ?? '';
    const status = this.query.get('status') ?? '';
    const kinds = ['routine', 'operation'].filter((each) => kind === '' || kind === each);
    return html`<new-grant></new-grant>
      ${filterForm('Show', [select('kind', 'Kind', KINDS, kind), select('status', 'Status', STATUSES, status)], ask)}
      ${kinds.map((each) => html`<h2>${each === 'routine' ? 'Routine' : 'Operation'} grants</h2>${this.table(each, status)}`)}`;
  }

  /** @param {string} kind @param {string} status */
  table(kind, status) {
    const whose = isOwner() ? 'Of the Workspace' : 'Yours';
    return pagedTable({
      caption: `${whose}, newest first`,
      request: get(`/api/v1/${kind}-grants`, { status }),
      rows: 'grants',
      columns: this.columns(kind),
      empty:
        status === ''
          ? `There is none: make ${kind === 'routine' ? 'a routine' : 'an operation'} grant above.`
          : `None is ${status}.`,
    });
  }

  /** @param {string} kind @returns {import('./table.js').Column[]} */
  columns(kind) {
    /** @type {import('./table.js').Column} */
    const member = ['Member', ({ userId }) => shown(userId)];
    const calls = (/** @type {Grant} */ { id, userId }) =>
      html`<a href="/console/${isOwner() && userId !== me.userId ? 'audit' : 'requests'}?grant_id=${id}">its calls</a>`;
    return [
      ['Name', ({ name, id }) => html`${shown(name)}<br>${idOf(id)}`],
      ...(isOwner() ? [member] : []),
      ['Allows', allows],
      ['Status', ({ status, stoppedReason: why = '' }) => [status, ' ', why.replaceAll('_', ' ')]],
      ['Last used', ({ lastUsedAt }) => localTime(lastUsedAt)],
      ['Ends', ({ expiresAt }) => localTime(expiresAt)],
      ['Secret', ({ secretHint }) => html`<code>… ${secretHint}</code>`],
      ['Calls', calls],
      ['Revoke', (grant) => (grant.status === 'active' ? this.revocation(kind, grant) : nothing)],
    ];
  }

  /** @param {string} kind @param {Grant} grant */
  revocation(kind, { id, name }) {
    return actionDialog('Revoke', {
      text: html`The next call with ${shown(name ?? id)} fails. A revoked grant acts never again.`,
      label: 'Revoke the grant',
      request: () => write('DELETE', path`/api/v1/${kind}-grants/${id}`),
    });
  }
}
customElements.define('grants-page', GrantsPage);

/** The scope of a grant. @param {Grant} grant */
function allows(grant) {
  if (grant.kind === 'operation') return shown(grant.operationScope);
  const {
    operations,
    data,
    maximumCadence: { invocations, periodSeconds },
    outputDefinition,
  } = grant;
  const reached = Object.values(data).flat();
  return html`<details><summary>${amount(operations.length, 'operation')}, ${amount(invocations, 'run')} in ${periodSeconds} s</summary>
    <ul>${[...operations, ...reached].map((each) => html`<li>${shown(each)}</li>`)}</ul>
    ${outputDefinition === null ? nothing : html`<p>For ${shown(outputDefinition)}</p>`}
  </details>`;
}
