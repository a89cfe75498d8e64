import { html, nothing } from 'lit';
import { isOwner, operation } from './api.js';
import { actionDialog } from './dialog.js';
import { check, field } from './fields.js';
import { directories, nameOf } from './names.js';
import { ask, go, Page } from './page.js';
import { pagedTable } from './table.js';
import { JsonText, keeping, shown, withoutHidden } from './text.js';
import { badge, emptyState, idOf, link, stateBadge, timeOf } from './view.js';

/** How much of a payload a listing shows, in characters. */
const BEGINNING = 120;

/** @type {import('./table.js').Column[]} */
const columns = [
  [
    'Collection',
    ({ id, name, description }) =>
      html`<strong>${link(`records/${id}`, shown(name))}</strong><small>${description ? shown(description) : nothing}</small>`,
  ],
  ['Members', ({ member_writes_enabled: isOn }) => (isOn ? badge('may write', 'good') : badge('read alone'))],
  [
    'Created',
    ({ created_at: at, created_by: by }) => html`${timeOf(at)}<small>by ${nameOf('member', by)}</small>`,
  ],
  ['Id', ({ id }) => idOf(id)],
];

/** The Collections of the Workspace. */
class RecordsPage extends Page {
  head() {
    return {
      title: this.entry,
      about: 'JSON objects in Collections. Every version is kept.',
      actions: isOwner() ? newCollection() : nothing,
    };
  }

  content() {
    return pagedTable({
      caption: 'Collections, oldest first',
      request: operation('record_store.list_collections'),
      rows: 'collections',
      columns,
      words: ({ id, name, description }) => `${id} ${name} ${description}`,
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
customElements.define('records-page', RecordsPage);

const newCollection = () =>
  actionDialog(
    'Create a Collection',
    {
      text: 'A Collection stays for good, and so does its name.',
      label: 'Create',
      fields: [
        field('name', 'Name', { isRequired: true, longest: 100 }),
        field('description', 'Description', { longest: 1000 }),
        check('member_writes_enabled', 'Members may push and change Records'),
      ],
      request: (values) => operation('record_store.create_collection', values),
      done: ({ result }) => go(`/console/records/${result.collection.id}`),
    },
    { icon: 'plus', tone: 'primary' },
  );

/** The Records of a Collection. */
class CollectionPage extends Page {
  get id() {
    return this.names[0] ?? '';
  }

  async load() {
    this.loaded = (await directories.collection.find(this.id)) ?? null;
  }

  head() {
    return {
      title: this.loaded ? shown(this.loaded.name) : this.title,
      crumbs: /** @type {const} */ ([['records', 'Records']]),
      about: html`${this.loaded?.detail ? html`${shown(this.loaded.detail)} · ` : nothing}${idOf(this.id)}`,
      actions: actionDialog(
        'Push a Record',
        {
          text: 'The payload is one JSON object of at most 256 KB.',
          label: 'Push it',
          fields: [
            field('payload', 'Payload', {
              kind: 'area',
              isRequired: true,
              value: '{\n  \n}',
              longest: 262_144,
            }),
          ],
          keyName: 'idempotency_key',
          request: ({ payload = '{}' }) =>
            operation('record_store.push_record', { collection_id: this.id, payload: new JsonText(payload) }),
          done: ({ result }) => go(`/console/records/${this.id}/${result.record.id}`),
        },
        { icon: 'plus', tone: 'primary' },
      ),
    };
  }

  content() {
    const state = this.query.get('state') ?? 'active';
    const choice = (/** @type {string} */ each) =>
      html`<button type="button" aria-pressed=${each === state} @click=${() => ask({ state: each })}>${each}</button>`;
    const open = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const id = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get('id')).trim();
      if (id !== '') go(`/console/records/${this.id}/${encodeURIComponent(id)}`);
    };
    return pagedTable({
      caption: 'Records, oldest first',
      request: operation('record_store.list_records', { collection_id: this.id, state }),
      rows: 'records',
      parse: keeping('payload'),
      columns: recordColumns,
      tools: html`<form class="filters" @submit=${open}><input name="id" type="search" placeholder="Id of a Record" aria-label="Id of a Record"><button class="small">Open</button></form>
        <span class="segments" role="group" aria-label="State">${['active', 'archived', 'all'].map(choice)}</span>`,
      empty: emptyState(
        'database',
        'There is no such Record',
        'Push the first one above, or from a program with record_store.push_record.',
      ),
    });
  }
}
customElements.define('collection-page', CollectionPage);

/** @type {import('./table.js').Column[]} */
const recordColumns = [
  [
    'Payload begins',
    ({ id, collection_id: of, payload }) =>
      html`<a href="/console/records/${of}/${id}"><code>${beginningOf(payload)}</code></a>`,
  ],
  ['Record', ({ id }) => idOf(id)],
  ['Version', ({ version }) => html`<span class="num">${version}</span>`],
  ['State', ({ state }) => stateBadge(state)],
  [
    'Changed',
    ({ updated_at: at, updated_by: by }) => html`${timeOf(at)}<small>by ${nameOf('member', by)}</small>`,
  ],
];

/** @param {JsonText} payload */
const beginningOf = ({ text }) =>
  withoutHidden(text.length > BEGINNING ? `${text.slice(0, BEGINNING)} …` : text);
