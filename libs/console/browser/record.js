import { html, nothing } from 'lit';
import { call, isOwner, operation } from './api.js';
import { difference, pointer } from './diff.js';
import { actionDialog } from './form.js';
import { asCurl, doneBy, factList, go, link, Page } from './page.js';
import { pagedTable, reload, tableOf } from './table.js';
import { keeping, read, shown, writtenJson } from './text.js';

/** @typedef {import('./text.js').JsonText} JsonText */
/** @typedef {{ version: number, payload: JsonText, created_at: string, created_by: string }} Revision */

const parse = keeping('payload');
const PAGE_OF_HISTORY = 20;

/** One Record: its payload, its history, and the difference of any two versions. */
class RecordPage extends Page {
  /** The versions that are compared. @type {{ before?: Revision, after?: Revision }} */
  compared = {};

  get reference() {
    const [collection_id, record_id] = this.names;
    return { collection_id, record_id };
  }

  async load() {
    const { record } = (await call(operation('record_store.get_record', this.reference), { parse })).result;
    this.keep(record);
  }

  /** @param {any} record as it is now */
  keep(record) {
    const { version, payload, updated_at: created_at, updated_by: created_by } = record;
    this.loaded = record;
    this.compared = { after: { version, payload, created_at, created_by } };
    reload();
  }

  content() {
    const { id, version, state, payload, created_at, created_by, updated_at, updated_by } = this.loaded;
    return html`${factList([
      ['Record', id],
      ['Collection', link(`records/${this.names[0]}`, this.names[0])],
      ['Version', html`<span role="status">${version}</span>`],
      ['State', state],
      ['Created', doneBy(created_at, created_by)],
      ['Changed', doneBy(updated_at, updated_by)],
    ])}
      <p class="pages">${this.actions()}</p>
      <h2>Payload</h2>
      <pre tabindex="0">${writtenJson(payload.text)}</pre>
      ${asCurl(operation('record_store.get_record', this.reference))}
      <h2>History</h2>
      <p>Choose two versions to see what changed between them.</p>
      ${pagedTable({
        caption: 'Versions, oldest first',
        request: operation('record_store.get_record_history', { ...this.reference, limit: PAGE_OF_HISTORY }),
        rows: 'revisions',
        parse,
        columns: this.columns(),
        empty: 'There is no version.',
      })}
      ${this.comparison()}`;
  }

  /** The actions that the state of the Record allows. */
  actions() {
    /** @param {'archive' | 'restore'} step @param {string} text */
    const change = (step, text) => ({
      text,
      label: step === 'archive' ? 'Archive the Record' : 'Restore the Record',
      request: () => operation(`record_store.${step}_record`, this.reference),
      parse,
      done: (/** @type {any} */ { result }) => this.keep(result.record),
    });
    if (this.loaded.state === 'active')
      return actionDialog('Archive', change('archive', 'It takes no changes until it is restored.'));
    const deletion = {
      text: html`<strong>It cannot be undone.</strong> The Record goes with its whole history.`,
      label: 'Delete it for good',
      request: () => operation('record_store.delete_record', this.reference),
      done: () => go(`/console/records/${this.names[0]}`),
    };
    return html`${actionDialog('Restore', change('restore', 'It takes changes again.'))} ${isOwner() ? actionDialog('Delete', deletion) : nothing}`;
  }

  /** @returns {import('./table.js').Column[]} */
  columns() {
    /** @param {'before' | 'after'} side @param {Revision} revision */
    const choice = (side, revision) => html`<label><input type="radio" name=${side}
      .checked=${this.compared[side]?.version === revision.version}
      @change=${() => {
        this.compared = { ...this.compared, [side]: revision };
        this.requestUpdate();
      }}> ${side}</label>`;
    return [
      ['Version', ({ version }) => version],
      ['Made', ({ created_at: at, created_by: by }) => doneBy(at, by)],
      ['Compare', (revision) => html`${choice('before', revision)} ${choice('after', revision)}`],
      ['Change back', (revision) => this.makeCurrent(revision)],
    ];
  }

  /** The dialog that makes a version current again: its bytes, as long as nobody has changed the Record since it was shown. @param {Revision} revision */
  makeCurrent({ version, payload }) {
    const { version: expected_version, state } = this.loaded;
    if (version === expected_version || state !== 'active') return nothing;
    return actionDialog(`Make version ${version} current`, {
      text: `A new version gets exactly the payload of version ${version}. The versions in between stay in the history.`,
      label: 'Make it current',
      request: () =>
        operation('record_store.replace_record', { ...this.reference, payload, expected_version }),
      keyName: 'idempotency_key',
      parse,
      done: ({ result }) => this.keep(result.record),
      // The newer version is shown beside the refusal.
      refused: (failure) =>
        this.attempt(async () => {
          await this.load();
          throw failure;
        }),
    });
  }

  /** The difference of the chosen versions. */
  comparison() {
    const { before, after } = this.compared;
    if (before === undefined || after === undefined) return nothing;
    const changes = difference(read(before.payload.text), read(after.payload.text));
    const json = (/** @type {string | undefined} */ text) =>
      text === undefined ? '–' : html`<pre>${writtenJson(text)}</pre>`;
    /** @type {import('./table.js').Column[]} */
    const columns = [
      ['At', ({ path }) => shown(pointer(path) || '(the whole)')],
      ['Before', (change) => json(change.before)],
      ['After', (change) => json(change.after)],
    ];
    const isSame = before.payload.text === after.payload.text;
    const equal = isSame ? 'They are equal.' : 'Their values are equal; their texts differ.';
    return html`<h2>From version ${before.version} to version ${after.version}</h2>
      <div role="status">${changes.length > 0 ? tableOf('What changed', columns, changes) : equal}</div>`;
  }
}
customElements.define('record-page', RecordPage);
