import { html, nothing } from 'lit';
import { call, isOwner, operation } from './api.js';
import { comparison } from './comparison.js';
import { actionDialog } from './dialog.js';
import { field } from './fields.js';
import { jsonView } from './json.js';
import { allOf } from './listing.js';
import { directories, nameOf } from './names.js';
import { go, Page } from './page.js';
import { nameIn, sizeOf } from './spoken.js';
import { JsonText, keeping, shown } from './text.js';
import { asCurl, badge, card, idOf, stateBadge, timeOf } from './view.js';

/** @typedef {{ version: number, payload: JsonText, created_at: string, created_by: string }} Revision */

const parse = keeping('payload');
/** One Record: its payload, its history, and the difference of any two versions. */
class RecordPage extends Page {
  /** The numbers of the versions that are compared. @type {{ before?: number | undefined, after?: number }} */
  compared = {};

  get reference() {
    const [collection_id, record_id] = this.names;
    return { collection_id, record_id };
  }

  async load() {
    const request = operation('record_store.get_record_history', this.reference);
    const [{ result }, revisions, collection] = await Promise.all([
      call(operation('record_store.get_record', this.reference), { parse }),
      allOf({ request, rows: 'revisions', parse }),
      directories.collection.find(this.names[0] ?? ''),
    ]);
    const { version } = result.record;
    this.compared = { before: revisions.at(-2)?.version, after: version };
    this.loaded = { record: result.record, revisions: revisions.toReversed(), collection };
  }

  head() {
    const crumbs = /** @type {[string, unknown][]} */ ([
      ['records', 'Records'],
      [
        `records/${this.names[0]}`,
        this.loaded?.collection ? shown(this.loaded.collection.name) : 'Collection',
      ],
    ]);
    if (this.loaded === undefined) return { title: this.entry, crumbs };
    const { id, version, state, payload, updated_at, updated_by } = this.loaded.record;
    return {
      title: html`${shown(nameIn(payload.text) ?? `Record ${id.slice(-4)}`)} ${stateBadge(state)}`,
      crumbs,
      about: html`Version <span role="status">${version}</span> · changed ${timeOf(updated_at)} by ${nameOf('member', updated_by)} · ${idOf(id)}`,
      actions: this.actions(),
    };
  }

  /** The actions that the state of the Record allows. */
  actions() {
    /** @param {'archive' | 'restore'} step @param {string} text */
    const change = (step, text) => ({
      text,
      label: step === 'archive' ? 'Archive the Record' : 'Restore the Record',
      request: () => operation(`record_store.${step}_record`, this.reference),
      parse,
      done: () => this.attempt(() => this.load()),
    });
    if (this.loaded.record.state === 'active')
      return html`${this.editing()} ${actionDialog('Archive', change('archive', 'It takes no changes until it is restored.'), { icon: 'archive' })}`;
    const deletion = {
      text: html`<strong>It cannot be undone.</strong> The Record goes with its whole history.`,
      label: 'Delete it for good',
      look: 'danger',
      request: () => operation('record_store.delete_record', this.reference),
      done: () => go(`/console/records/${this.names[0]}`),
    };
    return html`${actionDialog('Restore', change('restore', 'It takes changes again.'), { icon: 'undo-2' })} ${isOwner() ? actionDialog('Delete', deletion, { icon: 'trash-2', tone: 'danger' }) : nothing}`;
  }

  /** The dialog that replaces the payload, unless somebody has changed the Record since it was shown. */
  editing() {
    const { payload, version: expected_version } = this.loaded.record;
    return actionDialog(
      'Edit',
      {
        text: `What you save becomes version ${expected_version + 1}.`,
        label: 'Save the Record',
        fields: [
          field('payload', 'Payload', {
            kind: 'area',
            isRequired: true,
            value: payload.text,
            longest: 262_144,
          }),
        ],
        isEdit: true,
        request: ({ payload: changed = payload.text }) =>
          operation('record_store.replace_record', {
            ...this.reference,
            payload: new JsonText(changed),
            expected_version,
          }),
        keyName: 'idempotency_key',
        parse,
        done: () => this.attempt(() => this.load()),
        refused: this.overtaken,
      },
      { icon: 'pencil' },
    );
  }

  /** Shows a refusal, and beside it the Record as somebody else has changed it meanwhile. @param {unknown} failure */
  overtaken = (failure) =>
    this.attempt(async () => {
      const { version } = this.loaded.record;
      await this.load();
      if (version !== this.loaded.record.version)
        this.compared = { before: version, after: this.loaded.record.version };
      throw failure;
    });

  content() {
    /** @type {{ record: any, revisions: Revision[] }} */
    const { record, revisions } = this.loaded;
    const of = (/** @type {number | undefined} */ version) =>
      revisions.find((revision) => revision.version === version);
    const [before, after] = [of(this.compared.before), of(this.compared.after)];
    const { text } = record.payload;
    return html`<div class="two">
      <div>
        ${card(
          'Payload',
          html`${jsonView(text)} ${asCurl(operation('record_store.get_record', this.reference))}`,
          {
            hint: sizeOf(new TextEncoder().encode(text).length),
            end: html`<copy-button .text=${text} .label=${'Copy'}></copy-button>`,
          },
        )}
        ${before && after && before !== after ? comparison(before, after) : nothing}
      </div>
      ${card(
        'History',
        html`<ol class="timeline">${revisions.map((revision) => this.revision(revision))}</ol>
        ${asCurl(operation('record_store.get_record_history', this.reference))}`,
        { hint: `${revisions.length} ${revisions.length === 1 ? 'version' : 'versions'}` },
      )}
    </div>`;
  }

  /** @param {Revision} revision */
  revision(revision) {
    const { version, created_at: at, created_by: by } = revision;
    const isNow = version === this.loaded.record.version;
    const choice = (
      /** @type {'before' | 'after'} */ side,
    ) => html`<label><input type="radio" name=${side} .checked=${this.compared[side] === version}
      @change=${() => {
        this.compared = { ...this.compared, [side]: version };
        this.requestUpdate();
      }}> ${side}</label>`;
    return html`<li class=${isNow ? 'now' : ''}>
      <div class="pages"><strong>Version ${version}</strong>${isNow ? badge('current') : this.makeCurrent(revision)}</div>
      <span>${nameOf('member', by)} <small>${timeOf(at)}</small></span>
      <form class="filters">${choice('before')} ${choice('after')}</form></li>`;
  }

  /** The dialog that makes a version current again: its bytes, as long as nobody has changed the Record since it was shown. @param {Revision} revision */
  makeCurrent({ version, payload }) {
    const { version: expected_version, state } = this.loaded.record;
    if (state !== 'active') return nothing;
    return actionDialog(
      `Make version ${version} current`,
      {
        text: `A new version gets exactly the payload of version ${version}. The versions in between stay in the history.`,
        label: 'Make it current',
        request: () =>
          operation('record_store.replace_record', { ...this.reference, payload, expected_version }),
        keyName: 'idempotency_key',
        parse,
        done: () => this.attempt(() => this.load()),
        refused: this.overtaken,
      },
      { icon: 'undo-2', tone: 'small' },
    );
  }
}
customElements.define('record-page', RecordPage);
