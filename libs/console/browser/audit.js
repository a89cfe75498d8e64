import { html } from 'lit';
import { call, curlOf, get, stream } from './api.js';
import { field } from './fields.js';
import { directories } from './names.js';
import { RequestsPage } from './requests.js';
import { sizeOf } from './spoken.js';
import { shown } from './text.js';
import { asCurl, badge, card, factList } from './view.js';

/** The largest export that the browser holds, in bytes. */
const LARGEST_EXPORT = 64 * 2 ** 20;
/** The most Members that the filter offers. */
const MOST = 500;

/** The calls of the Workspace, for Owners. */
class AuditPage extends RequestsPage {
  /** @type {readonly import('./edits.js').Choice[]} */
  members = [];

  async load() {
    this.loaded = null;
    this.members = (await directories.member.all())
      .slice(0, MOST)
      .map(({ id, name }) => /** @type {const} */ ([id, name]));
    await super.load();
  }

  head() {
    return { title: this.entry, about: 'The calls of everybody in the Workspace, and of operators.' };
  }

  get input() {
    return this.asked;
  }

  filters() {
    return [
      ...super.filters(),
      field('user_id', 'Member', { suggestions: this.members }),
      field('target_id', 'Target'),
      field('invocation_id', 'Run'),
      field('code', 'Code'),
    ];
  }

  content() {
    const request = get('/api/v1/audit/entries', { ...this.asked, format: 'csv' });
    const verification = get('/api/v1/audit/verification');
    return html`${super.content()}
      ${card(
        'Export',
        html`<p>All entries that match, as CSV for a spreadsheet.</p>
        <p><button type="button" @click=${() => this.attempt(() => this.export(request))}>Export</button></p>${asCurl(request)}`,
      )}
      ${card(
        'Verification',
        html`<p>Whether the entries that are kept are as the platform sealed them.</p>
        <p><button type="button" @click=${() => this.attempt(() => this.verify(verification))}>Verify the log</button></p>${asCurl(verification)}`,
      )}`;
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
    this.show(`Saved: ${sizeOf(size)}.`);
  }

  /** @param {import('./api.js').Request} request */
  async verify(request) {
    const { valid, blocks, entries, problem } = await call(request);
    this.show(
      factList([
        ['Verified', new Date().toLocaleString()],
        [
          'Result',
          valid
            ? badge('as the platform sealed it', 'good')
            : html`${badge('altered', 'bad')} ${shown(problem)}`,
        ],
        ['Entries', `${entries} in ${blocks} ${blocks === 1 ? 'block' : 'blocks'}`],
      ]),
    );
  }
}
customElements.define('audit-page', AuditPage);
