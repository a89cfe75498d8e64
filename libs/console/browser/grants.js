import { html, nothing } from 'lit';
import { durationOf, grantState } from './spoken.js';
import './new-grant.js';
import { get, isOwner, me, path, write } from './api.js';
import { actionDialog } from './dialog.js';
import { directories, nameOf } from './names.js';
import { ask, Page } from './page.js';
import { pagedTable } from './table.js';
import { shown } from './text.js';
import { badge, emptyState, guide, idOf, listOf, stateBadge, timeOf } from './view.js';

/** @typedef {import('@action-platform/contracts').Grant} Grant */

const KINDS = ['routine', 'operation'];
const STATUSES = ['active', 'expired', 'revoked', 'stopped'];

/** The grants that the signed-in Member may see. */
class GrantsPage extends Page {
  head() {
    return {
      title: this.entry,
      about: 'Secrets for jobs and agents. Each acts as one Member, with less than that Member may do.',
      actions: html`<new-grant-buttons></new-grant-buttons>`,
    };
  }

  async load() {
    this.loaded = null;
    await directories.member.all();
  }

  content() {
    const kind = this.query.get('kind') ?? 'routine';
    const status = this.query.get('status') ?? '';
    const choice = (
      /** @type {Record<string, string>} */ query,
      /** @type {boolean} */ isOn,
      /** @type {string} */ label,
    ) =>
      html`<button type="button" aria-pressed=${isOn} @click=${() => ask({ kind, status, ...query })}>${label}</button>`;
    const named = (/** @type {string} */ id) => directories.member.known.get(id)?.name ?? id;
    return html`<made-grant></made-grant>${pagedTable({
      caption: `${kind === 'routine' ? 'Routine' : 'Operation'} grants, newest first`,
      request: get(`/api/v1/${kind}-grants`, { status }),
      rows: 'grants',
      columns: this.columns(kind),
      words: (grant) => `${grant.id} ${grant.name ?? ''} ${grant.userId} ${named(grant.userId)}`,
      sought: this.query.get('q') ?? '',
      tools: html`<span class="segments" role="group" aria-label="Kind">${KINDS.map((each) => choice({ kind: each }, each === kind, each))}</span>
        <span class="segments" role="group" aria-label="Status">${['', ...STATUSES].map((each) => choice({ status: each }, each === status, each || 'any'))}</span>`,
      empty:
        status === ''
          ? emptyState(
              'key-round',
              `There is no ${kind} grant yet`,
              kind === 'routine'
                ? 'A routine grant is for a job or an agent that runs again and again: some operations, some data, so many runs a day. Make one above.'
                : 'An operation grant allows one operation until it ends. Make one above.',
              guide('agents', 'How agents use grants'),
            )
          : emptyState('key-round', `None is ${status}`, 'Choose another status above.'),
    })}`;
  }

  /** @param {string} kind @returns {import('./table.js').Column[]} */
  columns(kind) {
    const calls = (/** @type {Grant} */ { id, userId }) =>
      html`<a class="button small quiet" href="/console/${isOwner() && userId !== me.userId ? 'audit' : 'requests'}?grant_id=${id}">Calls</a>`;
    const state = (/** @type {Grant} */ grant) => {
      const { state: name, words } = grantState(grant);
      return stateBadge(name, words);
    };
    return [
      [
        'Name',
        ({ name, id, secretHint }) =>
          html`<strong>${shown(name ?? id)}</strong> ${idOf(id)}<small>secret ends in ${secretHint}</small>`,
      ],
      ...(isOwner()
        ? [/** @type {import('./table.js').Column} */ (['Acts as', ({ userId }) => nameOf('member', userId)])]
        : []),
      ['Allows', allows],
      ['Status', state],
      ['Last used', ({ lastUsedAt }) => timeOf(lastUsedAt, 'never')],
      ['Ends', ({ expiresAt }) => timeOf(expiresAt)],
      [
        '',
        (grant) =>
          html`<span class="pages">${calls(grant)} ${grant.status === 'active' ? this.revocation(kind, grant) : nothing}</span>`,
        'end-cell',
      ],
    ];
  }

  /** @param {string} kind @param {Grant} grant */
  revocation(kind, { id, name }) {
    return actionDialog(
      'Revoke',
      {
        text: html`The next call with ${shown(name ?? id)} fails. A revoked grant acts never again.`,
        label: 'Revoke the grant',
        look: 'danger',
        request: () => write('DELETE', path`/api/v1/${kind}-grants/${id}`),
      },
      { tone: 'small danger' },
    );
  }
}
customElements.define('grants-page', GrantsPage);

/** The scope of a grant. @param {Grant} grant */
function allows(grant) {
  if (grant.kind === 'operation')
    return html`${nameOf('operation', grant.operationScope)}<small><code>${grant.operationScope}</code></small>`;
  const {
    operations,
    data,
    maximumCadence: { invocations, periodSeconds },
    outputDefinition,
  } = grant;
  const { collectionIds = [], senderIds = [], fileScopes = [] } = data;
  const [first] = collectionIds;
  const reached = [
    ...(first ? [nameOf('collection', first)] : []),
    ...(collectionIds.length > 1 ? [` and ${collectionIds.length - 1} more`] : []),
  ];
  return html`<details><summary>${operations.length} ${operations.length === 1 ? 'operation' : 'operations'}<small>${reached}${reached.length > 0 ? ' · ' : ''}${invocations} ${invocations === 1 ? 'run' : 'runs'} a ${durationOf(periodSeconds)}</small></summary>
    ${listOf(operations, (id) => nameOf('operation', id))} ${listOf(collectionIds, (id) => nameOf('collection', id), '')} ${listOf(senderIds, (id) => nameOf('sender', id), '')}
    ${listOf(fileScopes, (scope) => `${scope} files`, '')} ${outputDefinition === null ? nothing : html`<p>${badge(html`for ${shown(outputDefinition)}`)}</p>`}
  </details>`;
}
