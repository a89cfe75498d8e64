import { html, nothing } from 'lit';
import { isOwner, operation } from './api.js';
import { check, field, optionsOf, select } from './fields.js';
import { actionDialog, filterForm } from './form.js';
import { allOf } from './listing.js';
import { ask, doneBy, factList, go, idOf, link, Page } from './page.js';
import { pagedTable } from './table.js';
import { JsonText, keeping, shown, withoutHidden } from './text.js';

/** @typedef {import('@action-platform/contracts').Collection} Collection */

/** How much of a payload a listing shows, in characters. */
const BEGINNING = 120;

/** @type {import('./table.js').Column[]} */
const columns = [
  ['Collection', ({ id, name }) => link(`records/${id}`, shown(name))],
  ['Description', ({ description }) => shown(description || null)],
  ['Members write', ({ member_writes_enabled: isOn }) => (isOn ? 'yes' : 'no')],
  ['Created', ({ created_at: at, created_by: by }) => doneBy(at, by)],
];

/** The Collections of the Workspace. */
class RecordsPage extends Page {
  content() {
    return html`${isOwner() ? newCollection : nothing}
      ${pagedTable({
        caption: 'Collections, oldest first',
        request: operation('record_store.list_collections'),
        rows: 'collections',
        columns,
        empty: 'There is no Collection yet.',
      })}`;
  }
}
customElements.define('records-page', RecordsPage);

const newCollection = actionDialog('Create a Collection', {
  text: 'A Collection stays for good, and so does its name.',
  label: 'Create',
  fields: [
    field('name', 'Name', { isRequired: true, longest: 100 }),
    field('description', 'Description', { kind: 'area' }),
    check('member_writes_enabled', 'Members may push and change Records'),
  ],
  request: (values) => operation('record_store.create_collection', values),
  done: ({ result }) => go(`/console/records/${result.collection.id}`),
});

/** The Records of a Collection. */
class CollectionPage extends Page {
  async load() {
    const listed = { request: operation('record_store.list_collections'), rows: 'collections' };
    this.loaded = (await allOf(listed)).find(({ id }) => id === this.names[0]) ?? null;
  }

  content() {
    const [id = ''] = this.names;
    const state = this.query.get('state') ?? 'active';
    /** @type {Collection | null} */
    const collection = this.loaded;
    return html`${factList([
      ['Name', collection && shown(collection.name)],
      ['Description', collection && shown(collection.description || null)],
      ['Id', shown(id)],
    ])}
      ${filterForm('Show', [select('state', 'State', optionsOf(['active', 'archived', 'all']), state)], ask)}
      ${pagedTable({
        caption: 'Records, oldest first',
        request: operation('record_store.list_records', { collection_id: id, state }),
        rows: 'records',
        parse: keeping('payload'),
        columns: recordColumns,
        empty: 'There is no such Record.',
      })}`;
  }
}
customElements.define('collection-page', CollectionPage);

/** @type {import('./table.js').Column[]} */
const recordColumns = [
  ['Record', ({ id, collection_id: of }) => link(`records/${of}/${id}`, idOf(id))],
  ['Version', ({ version }) => version],
  ['State', ({ state }) => state],
  ['Changed', ({ updated_at: at, updated_by: by }) => doneBy(at, by)],
  ['Payload begins', ({ payload }) => html`<code>${beginningOf(payload)}</code>`],
];

/** @param {JsonText} payload */
const beginningOf = ({ text }) =>
  withoutHidden(text.length > BEGINNING ? `${text.slice(0, BEGINNING)} …` : text);
