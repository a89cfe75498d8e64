import { html, nothing } from 'lit';
import { call, curlOf, get, me, operation, stream } from './api.js';
import { filterForm, optionsOf } from './form.js';
import { asCurl, ask, factList, localTime, Page } from './page.js';
import { pagedTable } from './table.js';
import { shown } from './text.js';

/** @typedef {import('@action-platform/contracts').AuditEntry} AuditEntry */
/** @typedef {import('./form.js').Field} Field */

/** The largest export that the browser holds, in bytes. */
const LARGEST_EXPORT = 64 * 2 ** 20;

/** @type {Field[]} */
const ownFilters = [
  { name: 'request_id', label: 'Request' },
  { name: 'grant_id', label: 'Grant' },
  {
    name: 'outcome',
    label: 'Outcome',
    kind: 'select',
    options: optionsOf(['done', 'refused', 'failed', 'unknown'], 'any'),
  },
];
/** @type {Field[]} */
const allFilters = [
  ...ownFilters,
  { name: 'from', label: 'From', hint: 'a day or a time (UTC)' },
  { name: 'to', label: 'To', hint: 'a day or a time (UTC)' },
  { name: 'user_id', label: 'User' },
  { name: 'operation_id', label: 'Operation' },
  { name: 'target_id', label: 'Target' },
  { name: 'invocation_id', label: 'Run' },
  { name: 'code', label: 'Code' },
];

/** @type {import('./table.js').Column[]} */
const columns = [
  ['Time', ({ at }) => localTime(at)],
  [
    'Call',
    (/** @type {AuditEntry} */ { operation, count }) =>
      html`${shown(operation)}${count ? ` × ${count}` : ''}`,
  ],
  [
    'By',
    (/** @type {AuditEntry} */ { user_id: user, via, grant_id: id, grant_name: name, invocation_id: run }) =>
      html`${shown(user)}${id ? html`, ${shown(name ?? id)}` : via === 'operator' ? ', operator' : nothing}${run ? html`, run ${shown(run)}` : nothing}`,
  ],
  [
    'Outcome',
    (/** @type {AuditEntry} */ { outcome, code, replayed, answered }) =>
      html`<strong class=${outcome}>${outcome}</strong> ${code === 'ok' ? nothing : html`<a href="/docs/errors/${code}">${code}</a>`}
      ${replayed ? '(repeated)' : ''} ${answered ? '' : '(no answer)'}`,
  ],
  ['Request', (/** @type {AuditEntry} */ { request_id: id, status }) => html`${shown(id)}, ${status}`],
  [
    'Targets',
    (/** @type {AuditEntry} */ { targets }) =>
      targets.map((target, index) => html`${index > 0 ? ' ' : ''}${targetLink(target, targets)}`),
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
  /** @type {Field[]} */
  filters = ownFilters;

  /** The filters of the address. @returns {Record<string, string | undefined>} */
  get asked() {
    return Object.fromEntries([...this.query].filter(([, value]) => value !== ''));
  }

  /** What the listing is asked for. */
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
  /** What became of the last export, and the result of a verification. @type {{ exported?: unknown, verified?: unknown }} */
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
