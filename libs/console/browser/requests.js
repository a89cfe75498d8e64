import { html, nothing } from 'lit';
import { call, curlOf, get, isOwner, me, operation, stream } from './api.js';
import { field, optionsOf, select } from './fields.js';
import { filterForm } from './form.js';
import { asCurl, ask, codeLink, factList, idOf, link, localTime, Page } from './page.js';
import { pagedTable } from './table.js';
import { amount, shown } from './text.js';

/** @typedef {import('@action-platform/contracts').AuditEntry} AuditEntry */

/** The largest export that the browser holds, in bytes. */
const LARGEST_EXPORT = 64 * 2 ** 20;

const outcomes = optionsOf(['done', 'refused', 'failed', 'unknown'], 'any');
const ownFilters = [
  field('request_id', 'Request'),
  field('grant_id', 'Grant'),
  select('outcome', 'Outcome', outcomes),
  field('from', 'From', { hint: 'a day or a time (UTC)' }),
  field('to', 'To', { hint: 'a day or a time (UTC)' }),
];
const allFilters = [
  ...ownFilters,
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
const outcomeOf = (entry) => html`<strong class=${entry.outcome}>${entry.outcome}</strong> ${entry.status}
  ${entry.code === 'ok' ? '' : codeLink(entry.code)} ${entry.replayed ? '(repeated)' : ''} ${entry.answered ? '' : '(no answer)'}`;

/** @type {import('./table.js').Column[]} */
const columns = [
  ['Time', ({ at }) => localTime(at)],
  ['Call', ({ operation, count }) => html`${shown(operation)}${count ? ` × ${count}` : ''}`],
  ['By', callerOf],
  ['Outcome', outcomeOf],
  ['Request, and what it named', ({ request_id: id, targets }) => [idOf(id), ' ', targetLinks(targets)]],
];

/** The things that a call named, as links to the pages of those that have one. @param {string[]} targets */
function targetLinks(targets) {
  const collection = targets.find((target) => target.startsWith('col_'));
  const folders = { apv_: 'approvals', col_: 'records', rec_: collection && `records/${collection}` };
  return targets.map((target) => {
    const folder = /** @type {Record<string, string | undefined>} */ (folders)[target.slice(0, 4)];
    return html`${folder ? link(`${folder}/${target}`, idOf(target)) : idOf(target)} `;
  });
}

/** The calls of the signed-in Member. */
class RequestsPage extends Page {
  filters = ownFilters;
  whose = html`Your own calls, and those of your grants. ${isOwner() ? html`${link('audit', 'Audit')} shows those of everybody.` : nothing}`;

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

  content() {
    const fields = this.filters.map((field) => ({ ...field, value: this.asked[field.name] }));
    return html`<p>${this.whose}</p>
      ${filterForm('Find', fields, ask)}
      ${pagedTable({
        caption: 'Calls, newest first',
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
  filters = allFilters;
  whose = html`The calls of everybody in the Workspace, and of operators.`;

  get input() {
    return this.asked;
  }

  content() {
    const request = get('/api/v1/audit/entries', { ...this.asked, format: 'csv' });
    const verification = get('/api/v1/audit/verification');
    return html`${super.content()}
      <h2>Export</h2>
      <p>All entries that match, as CSV for a spreadsheet.</p>
      <p><button type="button" @click=${() => this.attempt(() => this.export(request))}>Export</button></p>
      ${asCurl(request)}
      <h2>Verification</h2>
      <p><button type="button" @click=${() => this.attempt(() => this.verify(verification))}>Verify the log</button></p>
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
        const command = `${curlOf(request)} > audit.csv`;
        return this.show(html`It is too large for a browser. Use curl: <pre tabindex="0">${command}</pre>`);
      }
    }
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob(chunks, { type: 'text/csv' }));
    link.download = 'audit.csv';
    link.click();
    URL.revokeObjectURL(link.href);
    this.show(`Saved: ${amount(size, 'byte')}.`);
  }

  /** @param {import('./api.js').Request} request */
  async verify(request) {
    const { valid, blocks, entries, problem } = await call(request);
    const facts = factList([
      ['Verified', localTime(new Date().toISOString())],
      ['Result', valid ? 'as the platform sealed it' : html`<strong>altered</strong>: ${shown(problem)}`],
      ['Entries', `${amount(entries, 'entry', 'entries')} in ${amount(blocks, 'block')}`],
    ]);
    this.show(facts);
  }
}
customElements.define('audit-page', AuditPage);
