import { html, nothing } from 'lit';
import { get, isOwner, me, path, write } from './api.js';
import { actionDialog } from './dialog.js';
import { directories, nameOf } from './names.js';
import { newGrant } from './new-grant.js';
import { Page } from './page.js';
import { durationOf, grantState } from './spoken.js';
import { pagedTable } from './table.js';
import { shown } from './text.js';
import {
  badge,
  buttonTo,
  countOf,
  emptyState,
  guide,
  idOf,
  listOf,
  optionsOf,
  stateBadge,
  timeOf,
  titled,
} from './view.js';

/** @typedef {import('@action-platform/contracts/resources').Grant} Grant */

const KINDS = optionsOf(['routine', 'operation']);
const STATUSES = optionsOf(['active', 'expired', 'revoked', 'stopped'], 'any');

/** The purpose of each kind of grant. @type {Record<string, string>} */
const PURPOSES = {
  routine:
    'A routine grant is for a job or an agent that runs again and again: some operations, some data, so many runs a day. Make one above.',
  operation: 'An operation grant allows one operation until it ends. Make one above.',
};

/** The grants that the signed-in Member may see. */
export class GrantsPage extends Page {
  async load() {
    this.loaded ??= true;
    await directories.member.all();
  }

  head() {
    return {
      about: 'Secrets for jobs and agents. Each acts as one Member, with less than that Member may do.',
      actions: newGrant((said) => this.show(said)),
    };
  }

  content() {
    const { kind = 'routine', status, q } = this.asked;
    const named = (/** @type {string} */ id) => directories.member.known.get(id)?.name;
    const none = emptyState(
      'key-round',
      `There is no ${kind} grant yet`,
      PURPOSES[kind],
      guide('agents', 'How agents use grants'),
    );
    return pagedTable({
      caption: `${kind === 'routine' ? 'Routine' : 'Operation'} grants, newest first`,
      request: get(`/api/v1/${kind}-grants`, { status }),
      rows: 'grants',
      columns,
      words: ({ id, name, userId }) => [id, name, userId, named(userId)],
      sought: q,
      tools: html`${this.choice('Kind', 'kind', KINDS)} ${this.choice('Status', 'status', STATUSES)}`,
      empty: status ? emptyState('key-round', `None is ${status}`, 'Choose another status above.') : none,
    });
  }
}

/** @type {import('./table.js').Columns} */
const columns = {
  Name: ({ name, id, secretHint }) =>
    html`<strong>${shown(name ?? id)}</strong> ${idOf(id)}<small>secret ends in ${secretHint}</small>`,
  ...(isOwner() && { 'Acts as': ({ userId }) => nameOf('member', userId) }),
  Allows: (grant) => (grant.kind === 'operation' ? allowsOne(grant.operationScope) : allows(grant)),
  Status: (grant) => {
    const { state, words } = grantState(grant);
    return stateBadge(state, words);
  },
  'Last used': ({ lastUsedAt }) => timeOf(lastUsedAt, 'never'),
  Ends: ({ expiresAt }) => timeOf(expiresAt),
  '': (grant) =>
    html`<span class="pages">${callsOf(grant)} ${grant.status === 'active' ? revocation(grant) : nothing}</span>`,
};

/** @param {Grant} grant */
const callsOf = ({ id, userId }) =>
  buttonTo(`${isOwner() && userId !== me.userId ? 'audit' : 'requests'}?grant_id=${id}`, 'Calls', 'quiet');

/** @param {Grant} grant */
const revocation = ({ id, name, kind }) =>
  actionDialog({
    opens: 'Revoke',
    tone: 'danger',
    text: html`The next call with ${shown(name ?? id)} fails. A revoked grant acts never again.`,
    label: 'Revoke the grant',
    request: () => write('DELETE', path`/api/v1/${kind}-grants/${id}`),
  });

/** @param {string} id of an operation */
const allowsOne = (id) => titled(nameOf('operation', id), html`<code>${id}</code>`);

/** The scope of a routine grant. @param {Grant & { kind: 'routine' }} grant */
function allows({ operations, data, maximumCadence: { invocations, periodSeconds }, outputDefinition }) {
  const { collectionIds = [], senderIds = [], fileScopes = [] } = data;
  const [first, ...others] = collectionIds;
  const reached = first
    ? html`${nameOf('collection', first)}${others.length > 0 ? ` and ${others.length} more` : nothing} · `
    : nothing;
  const runs = `${countOf(invocations, 'run')} a ${durationOf(periodSeconds)}`;
  return html`<details><summary>${countOf(operations.length, 'operation')}<small>${reached}${runs}</small></summary>
    ${listOf(operations, (id) => nameOf('operation', id))} ${listOf(collectionIds, (id) => nameOf('collection', id), '')} ${listOf(senderIds, (id) => nameOf('sender', id), '')}
    ${listOf(fileScopes, (scope) => `${scope} files`, '')} ${outputDefinition === null ? nothing : html`<p>${badge(html`for ${shown(outputDefinition)}`)}</p>`}
  </details>`;
}
