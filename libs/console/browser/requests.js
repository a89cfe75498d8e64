import { html, nothing } from 'lit';
import { call, curlOf, get, me, operation, stream } from './api.js';
import { field, filterForm, optionsOf, select } from './form.js';
import { asCurl, ask, factList, localTime, Page } from './page.js';
import { pagedTable } from './table.js';
import { shown } from './text.js';

/** @typedef {import('@action-platform/contracts').AuditEntry} AuditEntry */

/** The largest export that the browser holds, in bytes. */
const LARGEST_EXPORT = 64 * 2 ** 20;

const outcomes = optionsOf(['done', 'refused', 'failed', 'unknown'], 'any');
const ownFilters = [
  field('request_id', 'Request'),
  field('grant_id', 'Grant'),
  select('outcome', 'Outcome', outcomes),
];
const allFilters = [
  ...ownFilters,
  field('from', 'From', { hint: 'a day or a time (UTC)' }),
  field('to', 'To', { hint: 'a day or a time (UTC)' }),
  field('user_id', 'User'),
  field('operation_id', 'Operation'),
  field('target_id', 'Target'),
  field('invocation_id', 'Run'),
  field('code', 'Code'),
];

/** The caller of a call. @param {AuditEntry} entry */
const callerOf = ({ user_id: user, via, grant_id: id, grant_name: name, invocation_id: run }) =>
  html`${shown(user)}${via === 'operator' ? ', operator' : nothing}${id ? html`, ${shown(name ?? id)}` : nothing}${run ? html`, run ${shown(run)}` : nothing}`;

/** The outcome of a call. @param {AuditEntry} entry */
const outcomeOf = ({ outcome, code, replayed, answered }) => html`<strong class=${outcome}>${outcome}</strong>
  ${code === 'ok' ? nothing : html`<a target="_blank" href="/docs/errors/${code}">${code}</a>`} ${replayed ? '(repeated)' : ''} ${answered ? '' : '(no answer)'}`;

/** @type {import('./table.js').Column[]} */
const columns = [
  ['Time', ({ at }) => localTime(at)],
  ['Call', ({ operation, count }) => html`${shown(operation)}${count ? ` × ${count}` : ''}`],
  ['By', callerOf],
  ['Outcome', outcomeOf],
  ['Request', ({ request_id: id, status }) => html`${shown(id)}, ${status}`],
  [
    'Targets',
    ({ targets }) => targets.map((/** @type {string} */ target) => html`${targetLink(target, targets)} `),
  ],
];

/** A link to the page of a thing that has one. @param {string} target @param {string[]} targets */
function targetLink(target, targets) {
  const kind = target.slice(0, 4);
  const collection = targets.find((other) => other.startsWith('col_'));
  const page = {
    apv_: `approvals/${target}`,
    col_: `records/${target}`,
    rec_: collection && `records/${collection}/${target}`,
  }[kind];
  return page ? html`<a href="/console/${page}">${target}</a>` : target;
}

/** The calls of the signed-in Member. */
class RequestsPage extends Page {
  filters = ownFilters;

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

  /** @override */
  content() {
    const fields = this.filters.map((field) => ({ ...field, value: this.asked[field.name] }));
    return html`${filterForm('Find', fields, ask)}
      ${pagedTable({
        caption: 'Calls that wrote or were refused, newest first',
        request: operation('audit.list_entries', this.input),
        rows: 'entries',
        columns,
        empty: 'No call was found. An entry can be found within two seconds; reads share an entry a minute.',
      })}`;
  }
}
customElements.define('requests-page', RequestsPage);

/** The calls of the Workspace, for Owners. */
class AuditPage extends RequestsPage {
  /** @override */
  filters = allFilters;
  /** The results of the last export and of the last verification. @type {{ exported?: unknown, verified?: unknown }} */
  said = {};

  /** @override */
  get input() {
    return this.asked;
  }

  /** @override */
  content() {
    const request = get('/api/v1/audit/entries', { ...this.asked, format: 'csv' });
    const verification = get('/api/v1/audit/verification');
    return html`${super.content()}
      <h2>Export</h2>
      <p>All entries that match, as CSV for a spreadsheet.</p>
      <p><button type="button" @click=${() => this.attempt(() => this.export(request))}>Export</button> ${this.said.exported}</p>
      ${asCurl(request)}
      <h2>Verification</h2>
      <p><button type="button" @click=${() => this.attempt(() => this.verify(verification))}>Verify the log</button></p>
      <div role="status">${this.said.verified}</div>
      ${asCurl(verification)}`;
  }

  /** @param {import('./api.js').Request} request */
  async export(request) {
    const chunks = [];
    let size = 0;
    for await (const chunk of await stream(request)) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > LARGEST_EXPORT) {
        this.said.exported = html`It is too large for a browser. Use curl: <pre tabindex="0">${curlOf(request)} > audit.csv</pre>`;
        return;
      }
    }
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob(chunks, { type: 'text/csv' }));
    link.download = 'audit.csv';
    link.click();
    URL.revokeObjectURL(link.href);
    this.said.exported = html`<span role="status">${size} bytes were saved.</span>`;
  }

  /** @param {import('./api.js').Request} request */
  async verify(request) {
    const { valid, blocks, entries, problem } = await call(request);
    this.said.verified = factList([
      ['Verified', localTime(new Date().toISOString())],
      ['Result', valid ? 'as the platform sealed it' : html`<strong>altered</strong>: ${shown(problem)}`],
      ['Entries', `${entries} in ${blocks} blocks`],
    ]);
  }
}
customElements.define('audit-page', AuditPage);
