import { html, nothing } from 'lit';
import { comparison } from '../../elements/comparison.js';
import { jsonView } from '../../elements/json.js';
import { link } from '../../elements/links.js';
import { directories, nameOf } from '../../elements/names.js';
import { go, Page } from '../../elements/page.js';
import { asCurl, badge, card, countOf, idOf, pageButtons, stateBadge, timeOf } from '../../elements/view.js';
import { actionDialog } from '../../forms/dialog.js';
import { keptVersion } from '../../forms/form.js';
import { call, execute, isOwner, operation } from '../../platform/api.js';
import { LARGEST, pageOf, pagesOf } from '../../platform/listing.js';
import { nameIn, sizeOf } from '../../text/spoken.js';
import { JsonText, keeping, shown } from '../../text/text.js';
import { payloadField } from './records.js';
import { callOf } from './version-calls.js';

/** @typedef {{ version: number, payload: JsonText, created_at: string, created_by: string }} Revision */

/** A page of the history, newest first, and the cursors of the pages up to it. @typedef {{ revisions: Revision[], cursors: (string | undefined)[], next: string | null }} History */

const parse = keeping('payload');

/** One Record: its payload, its history, and the difference of any two versions. */
export default class RecordPage extends Page {
  /** The versions that are compared. @type {{ before?: Revision | undefined, after?: Revision }} */
  compared = {};
  /** Whether somebody else has changed the Record since the page showed it. */
  isOvertaken = false;
  /** The calls about the Record, newest first. @type {import('@action-platform/contracts/audit').AuditEntry[]} */
  calls = [];

  crumbs = () => [
    link('records', 'Records'),
    link(`records/${this.names[0]}`, nameOf('collection', this.names[0] ?? '')),
  ];

  get reference() {
    const [collection_id, record_id] = this.names;
    return { collection_id, record_id };
  }

  async load() {
    const fetched = await this.fetched();
    const kept = keptVersion();
    const isOvertaken = ![undefined, fetched.record.version].includes(kept);
    this.take(fetched, isOvertaken, isOvertaken ? await this.revisionOf(kept) : undefined);
  }

  /** The revision of a version, which a page of a long history may have that is not shown. @param {number} sought @returns {Promise<Revision | undefined>} */
  async revisionOf(sought) {
    for await (const rows of pagesOf({ request: this.historyRequest, rows: 'revisions', parse })) {
      const found = rows.find(({ version }) => version === sought);
      if (found) return found;
    }
    return undefined;
  }

  async fetched() {
    const [{ result }, history, collection] = await Promise.all([
      call(operation('record_store.get_record', this.reference), { parse }),
      this.historyAt(this.loaded?.history.cursors ?? [undefined]),
      isOwner() ? undefined : directories.collection.find(this.names[0] ?? ''),
    ]);
    const mayWrite = collection?.mayWrite !== false;
    return { record: result.record, history, mayWrite };
  }

  get historyRequest() {
    return operation('record_store.get_record_history', { ...this.reference, limit: LARGEST });
  }

  /** The page of the history at the last of these cursors. @param {(string | undefined)[]} cursors @returns {Promise<History>} */
  async historyAt(cursors) {
    const listing = { request: this.historyRequest, rows: 'revisions', parse };
    const { rows, next } = await pageOf(listing, cursors.at(-1));
    return { revisions: rows.toReversed(), cursors, next };
  }

  /** Shows another page of the history. The API lists the oldest versions first, so the newest page comes after all others. @param {(string | null | undefined)[]} cursors @param {boolean} [isNewest] */
  turn = (cursors, isNewest = false) =>
    this.attempt(async () => {
      let history = await this.historyAt(/** @type {(string | undefined)[]} */ (cursors));
      while (isNewest && history.next !== null && this.isConnected)
        history = await this.historyAt([...history.cursors, history.next]);
      this.loaded = { ...this.loaded, history };
      this.compared.before ??= this.previous;
    });

  /** The version before that of the Record, if the shown page of the history has it. */
  get previous() {
    const { record, history } = this.loaded;
    return history.revisions.find((/** @type {Revision} */ { version }) => version === record.version - 1);
  }

  /** Shows a Record. @param {{ record: any, history: History, mayWrite: boolean }} fetched @param {boolean} [isOvertaken] @param {Revision} [former] the version that was shown, when somebody else has changed it */
  take(fetched, isOvertaken = false, former) {
    this.isOvertaken = isOvertaken;
    this.loaded = fetched;
    this.compared = { before: former ?? this.previous, after: fetched.record };
    this.loadCalls();
  }

  /** Loads the calls about the Record. The page does not wait for the audit log: without it, the history names no grants. */
  async loadCalls() {
    const asked = { target_id: this.reference.record_id, limit: LARGEST };
    const found = await execute('audit.list_entries', asked).catch(() => undefined);
    this.calls = found?.entries ?? [];
    this.requestUpdate();
  }

  /** The grant that a version was made with, if the log says so. @param {Revision} revision */
  through(revision) {
    const { grant_id: id, grant_name: name } =
      callOf(revision, this.loaded.history.revisions, this.calls) ?? {};
    return id ? html` through ${name ? shown(name) : nameOf('grant', id)}` : nothing;
  }

  head() {
    if (this.loaded === undefined) return {};
    const { id, version, state, payload, updated_at, updated_by } = this.loaded.record;
    return {
      title: html`${shown(nameIn(payload.text) ?? `Record ${id.slice(-4)}`)} ${stateBadge(state)}`,
      about: html`Version <span role="status">${version}</span> · changed ${timeOf(updated_at)} by ${nameOf('member', updated_by)} · ${idOf(id)}`,
      actions: this.actions(),
    };
  }

  /** A call about the Record, after which the page shows it as it is then. @param {string} id of the operation @param {(values: any) => object} [inputOf] */
  changing = (id, inputOf) => ({
    request: (/** @type {object} */ values) => operation(id, { ...this.reference, ...inputOf?.(values) }),
    parse,
    done: () => this.attempt(() => this.load()),
  });

  /** The actions that the state and the Collection of the Record allow. */
  actions() {
    if (!this.loaded.mayWrite) return nothing;
    if (this.loaded.record.state === 'active')
      return html`${this.edit()} ${actionDialog({
        ...this.changing('record_store.archive_record'),
        opens: 'Archive',
        icon: 'archive',
        text: 'The Record takes no changes until somebody restores it.',
        label: 'Archive the Record',
      })}`;
    const restore = actionDialog({
      ...this.changing('record_store.restore_record'),
      opens: 'Restore',
      icon: 'undo-2',
      text: 'The Record takes changes again. Its payload and its history stay as they are.',
      label: 'Restore the Record',
    });
    const deletion = actionDialog({
      ...this.changing('record_store.delete_record'),
      opens: 'Delete',
      icon: 'trash-2',
      tone: 'danger',
      text: html`<strong>It cannot be undone.</strong> The Record goes with its whole history.`,
      label: 'Delete it for good',
      done: () => go(`/console/records/${this.names[0]}`),
    });
    return html`${restore} ${isOwner() ? deletion : nothing}`;
  }

  /**
   * The dialog that replaces the payload. When somebody else has changed the Record since it was shown, the dialog keeps what was entered,
   * and shows their change.
   */
  edit() {
    const { payload, version: expected_version } = this.loaded.record;
    const inputOf = ({ payload: changed = payload.text }) => ({
      payload: new JsonText(changed),
      expected_version,
    });
    return actionDialog({
      ...this.changing('record_store.replace_record', inputOf),
      opens: 'Edit',
      icon: 'pencil',
      text: html`What you save becomes version ${expected_version + 1}.${this.isOvertaken ? this.comparison() : nothing}`,
      label: 'Save the Record',
      fields: [payloadField(payload.text)],
      isEdit: true,
      version: expected_version,
      keyName: 'idempotency_key',
      refused: (failure, request) => this.overtaken(failure, this.sending(request)),
    });
  }

  /** How the page finds out whether the Record has what a request sent. @param {any} request */
  sending({ body: { payload, expected_version } }) {
    const isSaved = () => {
      const { record } = this.loaded;
      return record.version > expected_version && record.payload.text === payload.text;
    };
    return { isSaved, renew: () => this.renew(payload.text) };
  }

  /** Shows a newer version of the Record beside the version that was shown. A Record of another state stays as it was shown, because its actions have no place for an open dialog. @param {string} sent the payload of the refused call, which is no change of somebody else */
  async renew(sent) {
    const former = this.loaded.record;
    const fetched = await this.fetched();
    const { record } = fetched;
    if (record.version === former.version || record.state !== former.state) return;
    const isOvertaken = record.payload.text !== sent;
    this.take(fetched, isOvertaken, isOvertaken ? former : undefined);
  }

  /** The difference of the two versions that are compared. */
  comparison() {
    const { before, after } = this.compared;
    return before && after && before.version !== after.version ? comparison(before, after) : nothing;
  }

  content() {
    /** @type {{ record: any, history: History }} */
    const { record, history } = this.loaded;
    const { text } = record.payload;
    const size = new TextEncoder().encode(text).length;
    return html`<div class="two">
      <div>
        ${card(
          'Payload',
          html`${jsonView(text)} ${asCurl(operation('record_store.get_record', this.reference))}`,
          {
            hint: sizeOf(size),
            end: html`<copy-button .text=${text} .label=${'Copy'}></copy-button>`,
          },
        )}
        ${this.comparison()}
      </div>
      ${card(
        'History',
        html`<ol class="timeline">${history.revisions.map((revision) => this.revision(revision))}</ol>
        ${this.pages(history)} ${asCurl(this.historyRequest)}`,
        { hint: countOf(record.version, 'version') },
      )}
    </div>`;
  }

  /** The buttons to the other pages of a long history. @param {History} history */
  pages({ cursors, next }) {
    const hasOlder = cursors.length > 1;
    const hasNewer = next !== null;
    if (!hasOlder && !hasNewer) return nothing;
    return pageButtons([
      ['Oldest', hasOlder, () => this.turn([undefined])],
      ['Older', hasOlder, () => this.turn(cursors.slice(0, -1))],
      ['Newer', hasNewer, () => this.turn([...cursors, next])],
      ['Newest', hasNewer, () => this.turn([...cursors, next], true)],
    ]);
  }

  /** @param {Revision} revision */
  revision(revision) {
    const { version, created_at: at, created_by: by } = revision;
    const isNow = version === this.loaded.record.version;
    const choice = (/** @type {'before' | 'after'} */ side) => {
      const choose = () => {
        this.compared = { ...this.compared, [side]: revision };
        this.requestUpdate();
      };
      return html`<label><input type="radio" name=${side} .checked=${this.compared[side]?.version === version} @change=${choose}> ${side}</label>`;
    };
    return html`<li class=${isNow ? 'now' : ''}>
      <div class="pages"><strong>Version ${version}</strong>${isNow ? badge('current') : this.restore(revision)}</div>
      <span>${nameOf('member', by)}${this.through(revision)} <small>${timeOf(at)}</small></span>
      <div class="actions">${choice('before')} ${choice('after')}</div></li>`;
  }

  /** The dialog that restores a version: its bytes, as long as nobody has changed the Record since it was shown. @param {Revision} revision */
  restore({ version, payload }) {
    const { version: expected_version, state } = this.loaded.record;
    if (state !== 'active' || !this.loaded.mayWrite) return nothing;
    return actionDialog({
      ...this.changing('record_store.replace_record', () => ({ payload, expected_version })),
      opens: `Restore version ${version}`,
      icon: 'undo-2',
      text: html`The Record gets the payload of version ${version} again, as a new version. The versions in between stay in the history.${this.isOvertaken ? this.comparison() : nothing}`,
      label: 'Restore this version',
      version: expected_version,
      keyName: 'idempotency_key',
      refused: (failure, request) =>
        this.overtaken(failure, { ...this.sending(request), versionOf: () => this.loaded.record.version }),
    });
  }
}
