import { html, nothing } from 'lit';
import { buttonTo, guide, outside } from '../../elements/links.js';
import { directories, nameOf } from '../../elements/names.js';
import { Page } from '../../elements/page.js';
import { pagedTable, reload } from '../../elements/table.js';
import {
  badge,
  countOf,
  emptyState,
  idOf,
  listOf,
  optionsOf,
  stateBadge,
  timeOf,
  titled,
} from '../../elements/view.js';
import { actionDialog } from '../../forms/dialog.js';
import { call, get, isOwner, me, path, write } from '../../platform/api.js';
import { durationOf, grantState } from '../../text/spoken.js';
import { shown } from '../../text/text.js';
import { newGrant } from './new-grant.js';

/** @typedef {import('@action-platform/contracts/resources').Grant} Grant */

const KINDS = Object.entries({ routine: 'routine', operation: 'operation', agent: 'agents' });
const CAPTIONS = { routine: 'Routine grants', operation: 'Operation grants', agent: 'Agents that signed in' };
const STATUSES = optionsOf(['active', 'expired', 'revoked', 'stopped'], 'any');

/** The purpose of each kind of grant. @type {Record<string, string>} */
const PURPOSES = {
  routine:
    'A routine grant is for a job or an agent that runs again and again: some operations, some data, so many runs a day. Make one above.',
  operation: 'An operation grant allows one operation until it ends. Make one above.',
  agent:
    'Claude, ChatGPT, VS Code or another program signs in by the address of /mcp alone: you then choose here what it may do.',
};

/** The grants that the signed-in Member may see. */
export default class GrantsPage extends Page {
  async load() {
    this.loaded ??= true;
    await directories.member.all();
  }

  head() {
    return {
      about: 'Secrets for jobs and agents. Each acts as one Member, with less than that Member may do.',
      actions: newGrant((report) => this.show(report)),
    };
  }

  content() {
    const { kind = 'routine', status, q } = this.asked;
    const named = (/** @type {string} */ id) => directories.member.known.get(id)?.name;
    const none = emptyState(
      'key-round',
      kind === 'agent' ? 'No agent has signed in yet' : `There is no ${kind} grant yet`,
      PURPOSES[kind],
      guide('agents', 'How agents use grants'),
    );
    return pagedTable({
      caption: `${CAPTIONS[/** @type {'agent'} */ (kind)]}, newest first`,
      request: get(`/api/v1/${kind}-grants`, { status }),
      rows: 'grants',
      columns: this.columns(),
      words: ({ id, name, userId, client }) => [id, name, userId, named(userId), client?.name, client?.uri],
      sought: q,
      tools: html`${this.choice('Kind', 'kind', KINDS)} ${this.choice('Status', 'status', STATUSES)} ${kind === 'agent' && isOwner() ? buttonTo('agent-policy', 'Which programs may connect') : nothing}`,
      empty: status ? emptyState('key-round', `None is ${status}`, 'Choose another status above.') : none,
    });
  }

  /** @returns {import('../../elements/rows.js').Columns} */
  columns() {
    return {
      Name: (grant) =>
        html`<strong>${shown(grant.name ?? grant.client?.name ?? grant.id)}</strong> ${idOf(grant.id)}<small>${proofOf(grant)}</small>`,
      ...(isOwner() && { 'Acts as': ({ userId }) => nameOf('member', userId) }),
      Allows: (grant) => (grant.kind === 'operation' ? allowsOne(grant.operationScope) : allows(grant)),
      Status: (grant) => {
        const { state, words } = grantState(grant);
        return stateBadge(state, words);
      },
      'Last used': ({ lastUsedAt }) => timeOf(lastUsedAt, 'never'),
      Ends: ({ expiresAt }) => timeOf(expiresAt),
      '': (grant) =>
        html`<span class="pages">${callsOf(grant)} ${grant.status === 'active' ? this.end(grant) : nothing}</span>`,
    };
  }

  /** The button that ends a grant. An agent can sign in anew, so a click ends it without a dialog. @param {Grant} grant */
  end(grant) {
    const { id, kind, name } = grant;
    const request = write('DELETE', path`/api/v1/${kind}-grants/${id}`);
    if (grant.kind === 'agent') {
      const called = shown(name ?? grant.client.name);
      const end = () =>
        this.attempt(async () => {
          await call(request);
          reload();
          await this.show(html`${called} was ended: its next call fails.`);
        });
      return html`<button type="button" class="small danger" @click=${end}>End it</button>`;
    }
    return actionDialog({
      opens: 'Revoke',
      tone: 'danger',
      text: html`The next call with ${shown(name ?? id)} fails. A revoked grant never works again.`,
      label: 'Revoke the grant',
      request: () => request,
    });
  }
}

/** The proof of a grant: a secret, the token of a workload, or the sign-in of a program. @param {any} grant */
function proofOf({ secretHint, client, trust }) {
  if (trust) return html`no secret: ${shown(trust.subject)} of ${shown(trust.issuer)}`;
  if (client === undefined) return `secret ends in ${secretHint}`;
  return html`the program calls itself ${shown(client.name)}${client.uri ? html` (${outside(client.uri, client.uri)})` : nothing}`;
}

/** @param {Grant} grant */
const callsOf = ({ id, userId }) =>
  buttonTo(`${isOwner() && userId !== me.userId ? 'audit' : 'requests'}?grant_id=${id}`, 'Calls', 'quiet');

/** @param {string} id of an operation */
const allowsOne = (id) => titled(nameOf('operation', id), html`<code>${id}</code>`);

/** The scope of a grant of several operations. @param {any} grant */
function allows({ operations, data, maximumCadence, outputDefinition = null }) {
  const { collectionIds = [], senderIds = [], fileScopes = [] } = data;
  const [first, ...others] = collectionIds;
  const reached = first
    ? html`${nameOf('collection', first)}${others.length > 0 ? ` and ${others.length} more` : nothing} · `
    : nothing;
  const runs = maximumCadence
    ? `${countOf(maximumCadence.invocations, 'run')} a ${durationOf(maximumCadence.periodSeconds)}`
    : nothing;
  return html`<details><summary>${countOf(operations.length, 'operation')}<small>${reached}${runs}</small></summary>
    ${listOf(operations, (id) => nameOf('operation', id))} ${listOf(collectionIds, (id) => nameOf('collection', id), '')} ${listOf(senderIds, (id) => nameOf('sender', id), '')}
    ${listOf(fileScopes, (scope) => `${scope} files`, '')} ${outputDefinition === null ? nothing : html`<p>${badge(html`for ${shown(outputDefinition)}`)}</p>`}
  </details>`;
}
