import { html } from 'lit';
import { call, execute, get, write } from './api.js';
import { actionDialog, choices, field } from './form.js';
import { localTime, Page, secretOnce } from './page.js';
import { pagedTable, reload } from './table.js';
import { shown } from './text.js';

/** @typedef {import('@action-platform/contracts').WebhookEndpoint} WebhookEndpoint */
/** @typedef {import('./form.js').Field} Field */

/** The fields of an endpoint: types and Collections are those that exist. @param {Partial<WebhookEndpoint>} [endpoint] @returns {Promise<Field[]>} */
export async function endpointFields({ url, types, collectionIds, description } = {}) {
  const [{ operations }, { collections }] = await Promise.all([
    call(get('/api/v1/operations')),
    execute('record_store.list_collections', { limit: 200 }),
  ]);
  const feed = operations.find((/** @type {any} */ { id }) => id === 'events.list_events');
  const allTypes = feed.inputSchema.properties.types.items.enum;
  const any = { hint: 'all when none is chosen' };
  return [
    field('url', 'URL', { hint: 'https, at a public address', isRequired: true, value: url }),
    field('description', 'Description', { value: description ?? '', longest: 500 }),
    choices('types', 'Only these events', allTypes, (type) => [type, type], { ...any, value: types }),
    choices('collectionIds', 'Only these Collections', collections, nameOption, {
      ...any,
      value: collectionIds,
    }),
  ];
}

/** @param {{ id: string, name: string }} collection @returns {readonly [string, unknown]} */
const nameOption = ({ id, name }) => [id, shown(name)];

/** The state of an endpoint. @param {WebhookEndpoint} endpoint */
export const stateOf = ({ status, disabledReason, failingSince }) => {
  if (status === 'disabled')
    return disabledReason === 'gone' ? 'disabled: it answered 410' : 'disabled by an Owner';
  return failingSince === null ? 'enabled' : html`<strong>fails</strong> since ${localTime(failingSince)}`;
};

/** The webhook endpoints of the Workspace, for Owners. */
class WebhooksPage extends Page {
  /** The secret of the endpoint that was made. @type {unknown} */
  secret = '';

  /** @override */
  async load() {
    this.loaded = await endpointFields();
  }

  /** @override */
  content() {
    return html`${actionDialog('Add an endpoint', {
      label: 'Add',
      fields: this.loaded,
      keyName: 'idempotencyKey',
      request: ({ types = [], collectionIds = [], ...values }) =>
        write('POST', '/api/v1/webhook-endpoints', {
          ...values,
          ...(types.length > 0 && { types }),
          ...(collectionIds.length > 0 && { collectionIds }),
        }),
      done: ({ secret }) => {
        this.secret = secretOnce(secret, 'The endpoint was made before, and its secret is in use.');
        this.requestUpdate();
        reload(this);
      },
    })}
      <div role="status">${this.secret}</div>
      ${pagedTable({
        caption: 'Endpoints, newest first',
        request: get('/api/v1/webhook-endpoints'),
        rows: 'endpoints',
        columns: [
          ['URL', ({ id, url }) => html`<a href="/console/webhooks/${id}">${shown(url)}</a>`],
          ['Description', ({ description }) => shown(description)],
          ['State', stateOf],
          ['Gets', ({ types }) => (types === null ? 'all events' : types.join(', '))],
        ],
        empty: 'There is no endpoint yet.',
      })}`;
  }
}
customElements.define('webhooks-page', WebhooksPage);
