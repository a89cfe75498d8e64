import { html, nothing } from 'lit';
import { codeLink, guide, link } from '../../elements/links.js';
import { callerOf, directories, nameOf } from '../../elements/names.js';
import { ask, Page } from '../../elements/page.js';
import { pagedTable, reloadSoon } from '../../elements/table.js';
import { emptyState, optionsOf, stateBadge, timeOf, titled } from '../../elements/view.js';
import { field, select } from '../../forms/fields.js';
import { filterForm } from '../../forms/form.js';
import { isOwner, me, operation } from '../../platform/api.js';
import { shown } from '../../text/text.js';
import { calledName, openCall } from './call-panel.js';

/** @typedef {Partial<import('../../forms/edits.js').Field>} Suggestions */

/** An entry can be found within two seconds of its call. */
const FOUND_MS = 2500;
const OUTCOMES = optionsOf(['done', 'refused', 'failed', 'unknown'], 'any');

/** @param {import('@action-platform/contracts/audit').AuditEntry} entry */
const calledOf = (entry) =>
  html`<button type="button" class="quiet small" @click=${() => openCall(entry)}>${calledName(entry.operation)}${(entry.count ?? 0) > 1 ? html` × ${entry.count}` : nothing}</button>`;

/** @type {import('../../elements/rows.js').Columns} */
const columns = {
  Call: calledOf,
  By: ({ user_id: user, via, grant_id: grant, grant_name: name }) =>
    grant
      ? callerOf(grant, user, name)
      : via === 'operator'
        ? titled(shown(user), 'operator')
        : html`${nameOf('member', user)}<small>signed in</small>`,
  Outcome: ({ outcome, code, replayed, answered }) => html`${stateBadge(outcome)}
    <small>${code === 'ok' ? nothing : codeLink(code)} ${replayed ? 'repeated' : nothing} ${answered ? nothing : 'no answer'}</small>`,
  Time: ({ at }) => timeOf(at),
};

/** The calls of the signed-in Member. */
export default class RequestsPage extends Page {
  /** @type {Suggestions} */
  grants = {};
  /** @type {Suggestions} */
  operations = {};

  async load() {
    this.loaded ??= true;
    this.operations = await directories.operation.suggestions();
    this.grants = await directories.grant.suggestions();
  }

  /** After a change in the Workspace the listing has its call. */
  follow() {
    reloadSoon(FOUND_MS);
  }

  /** @returns {import('../../elements/page.js').Head} */
  head() {
    const everybody = html`${link('audit', 'Audit')} shows those of everybody.`;
    return { about: html`Your own calls, and those of your grants. ${isOwner() ? everybody : nothing}` };
  }

  /** The filters that the listing asks with. */
  get input() {
    // A Member's log has their grants' calls too, an Owner's has everybody's.
    const narrows = this.asked.grant_id || this.asked.request_id || me.role === 'member';
    return narrows ? this.asked : { ...this.asked, user_id: me.userId };
  }

  /** @returns {import('../../forms/edits.js').Field[]} */
  filters() {
    return [
      select('outcome', 'Outcome', OUTCOMES),
      field('operation_id', 'Operation', this.operations),
      field('grant_id', 'Grant', this.grants),
      field('request_id', 'Request'),
      field('from', 'From', { kind: 'time' }),
      field('to', 'Until', { kind: 'time' }),
    ];
  }

  content() {
    const fields = this.filters().map((each) => ({ ...each, value: this.asked[each.name] }));
    return pagedTable({
      caption: 'Calls, newest first',
      request: operation('audit.list_entries', this.input),
      rows: 'entries',
      columns,
      tools: filterForm('Find', fields, ask),
      empty: emptyState(
        'list',
        'No call was found',
        'Each call that writes or is refused has an entry here within two seconds; reads share an entry a minute.',
        guide('audit', 'How the log works'),
      ),
    });
  }
}
