import { html, nothing } from 'lit';
import { isOwner, me, operation } from './api.js';
import { openCall } from './call-panel.js';
import { field, optionsOf, select } from './fields.js';
import { filterForm } from './form.js';
import { directories, nameOf } from './names.js';
import { ask, Page } from './page.js';
import { pagedTable, reload } from './table.js';
import { shown } from './text.js';
import { codeLink, emptyState, guide, link, stateBadge, timeOf } from './view.js';

/** @typedef {import('@action-platform/contracts').AuditEntry} AuditEntry */
/** @typedef {import('./edits.js').Choice} Choice */

/** An entry can be found within two seconds of its call. */
const FOUND_MS = 2500;
/** The most names that a filter offers. */
const MOST = 500;
const OUTCOMES = optionsOf(['done', 'refused', 'failed', 'unknown'], 'any');

/** The caller of a call. @param {AuditEntry} entry */
export const callerOf = ({ user_id: user, via, grant_id: id, grant_name: name }) =>
  html`${
    id
      ? html`<strong>${shown(name ?? id)}</strong><small>as ${nameOf('member', user)}</small>`
      : html`${via === 'operator' ? shown(user) : nameOf('member', user)}<small>${via === 'operator' ? 'operator' : 'signed in'}</small>`
  }`;

/** The outcome of a call. @param {AuditEntry} entry */
export const outcomeOf = ({ outcome, code, replayed, answered }) => html`${stateBadge(outcome)}
  <small>${code === 'ok' ? nothing : codeLink(code)} ${replayed ? 'repeated' : nothing} ${answered ? nothing : 'no answer'}</small>`;

/** An operation by its title; a route or a command of an operator as it is. @param {AuditEntry} entry */
const calledOf = (entry) =>
  html`<button type="button" class="quiet small" @click=${() => openCall(entry)}>${
    entry.operation.includes('.') && !entry.operation.includes(' ')
      ? nameOf('operation', entry.operation)
      : shown(entry.operation)
  }${entry.count ? html` × ${entry.count}` : nothing}</button>`;

/** @type {import('./table.js').Column[]} */
const columns = [
  ['Call', calledOf],
  ['By', callerOf],
  ['Outcome', outcomeOf],
  ['Time', ({ at }) => timeOf(at)],
];

/** The calls of the signed-in Member. */
export class RequestsPage extends Page {
  /** @type {readonly Choice[]} */
  grants = [];
  /** @type {readonly Choice[]} */
  operations = [];

  async load() {
    this.loaded = null;
    const choices = async (/** @type {'grant' | 'operation'} */ kind) =>
      (await directories[kind].all()).slice(0, MOST).map(({ id, name }) => /** @type {const} */ ([id, name]));
    [this.grants, this.operations] = await Promise.all([choices('grant'), choices('operation')]);
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener('platform-event', this.renew);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener('platform-event', this.renew);
  }

  /** After a change in the Workspace the listing has its call, unless somebody reads one. */
  renew = () => {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => document.querySelector('dialog[open]') === null && reload(), FOUND_MS);
  };

  /** @returns {import('./page.js').Head} */
  head() {
    return {
      title: this.entry,
      about: html`Your own calls, and those of your grants. ${isOwner() ? html`${link('audit', 'Audit')} shows those of everybody.` : nothing}`,
    };
  }

  /** The filters of the address. @returns {Record<string, string | undefined>} */
  get asked() {
    return Object.fromEntries([...this.query].filter(([, value]) => value !== ''));
  }

  /** The filters that the listing asks with. */
  get input() {
    // A Member's log has their grants' calls too, an Owner's has everybody's.
    const narrows = this.asked.grant_id || this.asked.request_id || me.role === 'member';
    return narrows ? this.asked : { ...this.asked, user_id: me.userId };
  }

  /** @returns {import('./edits.js').Field[]} */
  filters() {
    return [
      select('outcome', 'Outcome', OUTCOMES),
      field('operation_id', 'Operation', { suggestions: this.operations }),
      field('grant_id', 'Grant', { suggestions: this.grants }),
      field('request_id', 'Request'),
      field('from', 'From', { kind: 'time' }),
      field('to', 'Until', { kind: 'time' }),
    ];
  }

  content() {
    const fields = this.filters().map((field) => ({ ...field, value: this.asked[field.name] }));
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
customElements.define('requests-page', RequestsPage);
