import { html } from 'lit';
import { secretOnce } from '../../elements/copy-button.js';
import { guide, link } from '../../elements/links.js';
import { directories, nameOf } from '../../elements/names.js';
import { Page } from '../../elements/page.js';
import { pagedTable, reload } from '../../elements/table.js';
import { badge, emptyState, listOf, timeOf, titled } from '../../elements/view.js';
import { actionDialog } from '../../forms/dialog.js';
import { withoutNull } from '../../forms/edits.js';
import { choices, field, select } from '../../forms/fields.js';
import { call, get, write } from '../../platform/api.js';
import { shown } from '../../text/text.js';

/** @typedef {import('@action-platform/contracts/resources').WebhookEndpoint} WebhookEndpoint */

const ALL = '/api/v1/webhook-endpoints';
const FORMS = Object.entries({
  event: 'Events, signed',
  slack: 'Messages about approvals and failures, in Slack',
  teams: 'The same, in Teams',
});

/** The fields of an endpoint: types and Collections are those that exist. @param {Partial<WebhookEndpoint>} [endpoint] @returns {Promise<import('../../forms/edits.js').Field[]>} */
export async function endpointFields({ url, types, collectionIds, description } = {}) {
  const { operations } = await call(get('/api/v1/operations'));
  const feed = operations.find((/** @type {any} */ { id }) => id === 'events.list_events');
  /** @type {string[]} */
  const known = feed.inputSchema.properties.types.items.enum;
  const allTypes = known.map((type) => /** @type {const} */ ([type, type]));
  return [
    field('url', 'URL', { hint: 'https, at a public address', isRequired: true, value: url }),
    // The form of an endpoint never changes.
    ...(url === undefined ? [select('form', 'Form', FORMS)] : []),
    field('description', 'Description', { value: description ?? '', longest: 500 }),
    choices('types', 'Events', allTypes, { all: 'Every event, also of kinds to come', value: types }),
    choices('collectionIds', 'Collections', directories.collection.choices, {
      all: 'Every Collection, also those to come',
      value: collectionIds,
    }),
  ];
}

/** The state of an endpoint. @param {WebhookEndpoint} endpoint */
export const stateOf = ({ status, disabledReason, failingSince }) => {
  if (status === 'disabled')
    return badge(disabledReason === 'gone' ? 'disabled: it answered 410' : 'disabled by an Owner', 'bad');
  return failingSince === null
    ? badge('enabled', 'good')
    : html`${badge('fails', 'bad')} <small>since ${timeOf(failingSince)}</small>`;
};

/** The types of the events that an endpoint gets. @param {WebhookEndpoint} endpoint */
export const typesOf = ({ types }) =>
  types === null ? 'all, also of kinds to come' : listOf(types, (type) => type);

/** The Collections whose events an endpoint gets. @param {WebhookEndpoint} endpoint */
export const collectionsOf = ({ collectionIds }) =>
  collectionIds === null
    ? 'all, also those to come'
    : listOf(collectionIds, (id) => nameOf('collection', id));

/** The webhook endpoints of the Workspace, for Owners. */
export default class WebhooksPage extends Page {
  head() {
    /** @returns {Promise<import('../../forms/dialog.js').Content>} */
    const fetch = async () => ({
      text: 'It gets a signed request for each event from now on. Its secret is shown once.',
      label: 'Add',
      fields: await endpointFields(),
      keyName: 'idempotencyKey',
      request: (values) => write('POST', ALL, withoutNull(values)),
      done: ({ endpoint, secret }) => {
        const made = secretOnce(secret, 'The endpoint was made before, and its secret is in use.');
        this.show(endpoint.form === 'event' ? made : 'The endpoint was added. Its URL is its secret.');
        reload();
      },
    });
    return {
      about: 'Requests to your programs, for each change of the Workspace.',
      actions: actionDialog({ opens: 'Add an endpoint', tone: 'primary', fetch }),
    };
  }

  content() {
    return pagedTable({
      caption: 'Endpoints, newest first',
      request: get(ALL),
      rows: 'endpoints',
      isWhole: true,
      words: ({ id, url, description }) => [id, url, description],
      sought: this.asked.q,
      columns: {
        Endpoint: ({ id, url, description }) =>
          titled(link(`webhooks/${id}`, shown(url)), description && shown(description)),
        State: stateOf,
        Events: typesOf,
        Collections: collectionsOf,
      },
      empty: emptyState(
        'webhook',
        'There is no endpoint yet',
        'For example: keep a search index up to date with every record.pushed.',
        guide('webhooks', 'How to receive one'),
      ),
    });
  }
}
