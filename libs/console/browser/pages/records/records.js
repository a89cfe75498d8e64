import { html, nothing } from 'lit';
import { link } from '../../elements/links.js';
import { directories, doneBy } from '../../elements/names.js';
import { go, Page } from '../../elements/page.js';
import { pagedTable } from '../../elements/table.js';
import { badge, emptyState, idOf, optionsOf, stateBadge, titled } from '../../elements/view.js';
import { actionDialog } from '../../forms/dialog.js';
import { check, field } from '../../forms/fields.js';
import { filterForm } from '../../forms/form.js';
import { isOwner, operation } from '../../platform/api.js';
import { nameIn } from '../../text/spoken.js';
import { JsonText, keeping, shown, withoutHidden } from '../../text/text.js';

/** How much of a payload a listing shows, in characters. */
const BEGINNING = 120;
/** The longest payload in which a name is looked for, in characters. */
const SEARCHED = 4_000;
const STATES = optionsOf(['active', 'archived', 'all']);

/** The Collections of the Workspace. */
export default class RecordsPage extends Page {
  head() {
    const about = 'JSON objects in Collections. Every version is kept.';
    return { about, actions: isOwner() ? newCollection : nothing };
  }

  content() {
    return pagedTable({
      caption: 'Collections, oldest first',
      request: operation('record_store.list_collections'),
      rows: 'collections',
      words: ({ id, name, description }) => [id, name, description],
      columns: {
        Collection: ({ id, name, description }) =>
          titled(link(`records/${id}`, shown(name)), description && shown(description)),
        Members: ({ member_writes_enabled: isOn }) =>
          isOn ? badge('may write', 'good') : badge('may only read'),
        Created: ({ created_at: at, created_by: by }) => doneBy(at, by),
        Id: ({ id }) => idOf(id),
      },
      empty: emptyState(
        'database',
        'There is no Collection yet',
        isOwner()
          ? 'A Collection is a named set of Records, such as Orders or Customers. Create the first one above.'
          : 'An Owner creates Collections; then you see their Records here.',
      ),
    });
  }
}

const newCollection = actionDialog({
  opens: 'Create a Collection',
  tone: 'primary',
  text: 'A Collection stays for good, and so does its name.',
  label: 'Create',
  fields: [
    field('name', 'Name', { isRequired: true, longest: 100 }),
    field('description', 'Description', { longest: 1000 }),
    check('member_writes_enabled', 'Members may push and change Records'),
  ],
  request: (values) => operation('record_store.create_collection', values),
  done: ({ result }) => go(`/console/records/${result.collection.id}`),
});

/** The field of a payload. @param {string} value JSON */
export const payloadField = (value) =>
  field('payload', 'Payload', { kind: 'area', isRequired: true, value, longest: 262_144 });

/** The Records of a Collection. */
export class CollectionPage extends Page {
  crumbs = () => [link('records', 'Records')];

  get collectionId() {
    return this.names[0] ?? '';
  }

  async load() {
    this.loaded = (await directories.collection.find(this.collectionId)) ?? {};
  }

  head() {
    const { name, detail, mayWrite } = this.loaded ?? {};
    const push = actionDialog({
      opens: 'Push a Record',
      tone: 'primary',
      text: 'The payload is one JSON object of at most 256 KB.',
      label: 'Push it',
      fields: [payloadField('{\n  \n}')],
      keyName: 'idempotency_key',
      request: ({ payload = '{}' }) =>
        operation('record_store.push_record', {
          collection_id: this.collectionId,
          payload: new JsonText(payload),
        }),
      done: ({ result }) => go(`/console/records/${this.collectionId}/${result.record.id}`),
    });
    return {
      title: name && shown(name),
      about: html`${detail ? html`${shown(detail)} · ` : nothing}${idOf(this.collectionId)}`,
      actions: mayWrite === false ? nothing : push,
    };
  }

  content() {
    const { state = 'active' } = this.asked;
    const open = filterForm('Open', [field('id', 'Id of a Record')], ({ id = '' }) => {
      if (id.trim() !== '') go(`/console/records/${this.collectionId}/${encodeURIComponent(id.trim())}`);
    });
    return pagedTable({
      caption: 'Records, oldest first',
      request: operation('record_store.list_records', { collection_id: this.collectionId, state }),
      rows: 'records',
      parse: keeping('payload'),
      columns: {
        'Payload begins': ({ id, payload }) =>
          link(`records/${this.collectionId}/${id}`, payloadView(payload)),
        Record: ({ id }) => idOf(id),
        Version: ({ version }) => html`<span class="num">${version}</span>`,
        State: ({ state }) => stateBadge(state),
        Changed: ({ updated_at: at, updated_by: by }) => doneBy(at, by),
      },
      tools: html`${open} ${this.choice('State', 'state', STATES)}`,
      empty: emptyState(
        'database',
        'There is no such Record',
        this.loaded.mayWrite === false
          ? 'Owners write to this Collection; then you see its Records here.'
          : 'Push the first one above, or from a program with record_store.push_record.',
      ),
    });
  }
}

/** The name of a Record among people, if its payload has a name and is short, and the beginning of the payload. @param {JsonText} payload */
function payloadView({ text }) {
  const name = text.length <= SEARCHED ? nameIn(text) : undefined;
  const beginning = text.length > BEGINNING ? `${text.slice(0, BEGINNING)} …` : text;
  return html`${name && html`<strong>${shown(name)}</strong>`}<code>${withoutHidden(beginning)}</code>`;
}
