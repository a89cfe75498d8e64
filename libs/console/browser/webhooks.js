import { html } from 'lit';
import { call, get, write } from './api.js';
import { collectionChoices } from './choices.js';
import { choices, field, withoutNull } from './fields.js';
import { actionDialog } from './form.js';
import { link, localTime, Page, secretOnce } from './page.js';
import { pagedTable, reload } from './table.js';
import { shown } from './text.js';

/** @typedef {import('@action-platform/contracts').WebhookEndpoint} WebhookEndpoint */
/** @typedef {import('./form.js').Field} Field */

const ALL = '/api/v1/webhook-endpoints';

/** The fields of an endpoint: types and Collections are those that exist. @param {Partial<WebhookEndpoint>} [endpoint] @returns {Promise<Field[]>} */
export async function endpointFields({ url, types, collectionIds, description } = {}) {
  const { operations } = await call(get('/api/v1/operations'));
  const feed = operations.find((/** @type {any} */ { id }) => id === 'events.list_events');
  const allTypes = feed.inputSchema.properties.types.items.enum;
  return [
    field('url', 'URL', { hint: 'https, at a public address', isRequired: true, value: url }),
    field('description', 'Description', { value: description ?? '', longest: 500 }),
    choices(
      'types',
      'Events',
      allTypes.map((/** @type {string} */ type) => [type, type]),
      {
        all: 'Every event, also of kinds to come',
        value: types,
      },
    ),
    choices('collectionIds', 'Collections', collectionChoices, {
      all: 'Every Collection, also those to come',
      value: collectionIds,
    }),
  ];
}

/** The state of an endpoint. @param {WebhookEndpoint} endpoint */
export const stateOf = ({ status, disabledReason, failingSince }) => {
  if (status === 'disabled')
    return disabledReason === 'gone' ? 'disabled: it answered 410' : 'disabled by an Owner';
  return failingSince === null ? 'enabled' : html`<strong>fails</strong> since ${localTime(failingSince)}`;
};

/** The webhook endpoints of the Workspace, for Owners. */
class WebhooksPage extends Page {
  async load() {
    this.loaded = await endpointFields();
  }

  content() {
    return html`${actionDialog('Add an endpoint', {
      text: 'It gets a signed request for each event from now on. Its secret is shown once.',
      label: 'Add',
      fields: this.loaded,
      keyName: 'idempotencyKey',
      request: (values) => write('POST', ALL, withoutNull(values)),
      done: ({ secret }) => {
        this.show(secretOnce(secret, 'The endpoint was made before, and its secret is in use.'));
        reload();
      },
    })}
      ${pagedTable({
        caption: 'Endpoints, newest first',
        request: get(ALL),
        rows: 'endpoints',
        columns: [
          ['URL', ({ id, url }) => link(`webhooks/${id}`, shown(url))],
          ['Description', ({ description }) => shown(description)],
          ['State', stateOf],
          ['Gets', ({ types }) => (types === null ? 'all events' : types.join(', '))],
        ],
        empty: 'There is no endpoint yet.',
      })}`;
  }
}
customElements.define('webhooks-page', WebhooksPage);
