import { html } from 'lit';
import { directories } from '../../elements/names.js';
import { asCurl, badge, card, countOf, factList } from '../../elements/view.js';
import { field } from '../../forms/fields.js';
import { call, curlOf, get, stream } from '../../platform/api.js';
import { sizeOf } from '../../text/spoken.js';
import { shown } from '../../text/text.js';
import RequestsPage from './requests.js';

/** @typedef {import('../../platform/api.js').Request} Request */

/** The largest export that the browser holds, in bytes. */
const LARGEST_EXPORT = 64 * 2 ** 20;

/** The calls of the Workspace, for Owners. */
export default class AuditPage extends RequestsPage {
  /** @type {import('./requests.js').Suggestions} */
  members = {};

  async load() {
    await super.load();
    this.members = await directories.member.suggestions();
  }

  head() {
    return { about: 'The calls of everybody in the Workspace, and of operators.' };
  }

  get input() {
    return this.asked;
  }

  filters() {
    return [
      ...super.filters(),
      field('user_id', 'Member', this.members),
      field('target_id', 'Target'),
      field('invocation_id', 'Run'),
      field('code', 'Code'),
    ];
  }

  content() {
    const entries = get('/api/v1/audit/entries', { ...this.asked, format: 'csv' });
    const verification = get('/api/v1/audit/verification');
    /** @param {string} title @param {string} about @param {string} label @param {(request: Request) => Promise<void>} step @param {Request} request */
    const task = (title, about, label, step, request) =>
      card(
        title,
        html`<p>${about}</p><p><button type="button" @click=${() => this.attempt(() => step(request))}>${label}</button></p>${asCurl(request)}`,
      );
    return html`${super.content()}
      ${task('Export', 'All entries that match, as CSV for a spreadsheet.', 'Export', this.export, entries)}
      ${task('Verification', 'Whether the entries that are kept are as the platform sealed them.', 'Verify the log', this.verify, verification)}`;
  }

  /** @param {Request} request */
  export = async (request) => {
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
  };

  /** @param {Request} request */
  verify = async (request) => {
    const { valid, blocks, entries, problem } = await call(request);
    const altered = html`${badge('altered', 'bad')} ${shown(problem)}`;
    this.show(
      factList([
        ['Verified', new Date().toLocaleString()],
        ['Result', valid ? badge('as the platform sealed it', 'good') : altered],
        ['Entries', `${entries} in ${countOf(blocks, 'block')}`],
      ]),
    );
  };
}
