import { html, nothing } from 'lit';
import { call, get, path } from './api.js';
import { actionDialog, filterForm, optionsOf } from './form.js';
import { ask, factList, go, localTime, Page, secretOnce } from './page.js';
import { pagedTable, reload } from './table.js';
import { shown } from './text.js';
import { endpointFields, stateOf } from './webhooks.js';

/** @typedef {import('@action-platform/contracts').WebhookDelivery} WebhookDelivery */

/** One webhook endpoint and its deliveries, for Owners. */
class WebhookPage extends Page {
  /** What the last step said. @type {unknown} */
  said = '';

  get path() {
    return path`/api/v1/webhook-endpoints/${this.names[0] ?? ''}`;
  }

  /** @override */
  async load() {
    const { endpoint } = await call(get(this.path));
    this.loaded = { endpoint, fields: await endpointFields(endpoint) };
  }

  /** @param {unknown} said */
  tell(said) {
    this.said = said;
    this.attempt(() => this.load());
    reload(this);
  }

  /** @override */
  content() {
    const { endpoint, fields } = this.loaded;
    const { id, url, description, types, collectionIds, createdAt, createdBy, secretChangedAt, status } =
      endpoint;
    const post = (/** @type {string} */ step, body = {}) => ({
      method: 'POST',
      path: `${this.path}/${step}`,
      body,
    });
    const change = (/** @type {object} */ body) => ({ method: 'PATCH', path: this.path, body });
    const toggled = status === 'enabled' ? 'disabled' : 'enabled';
    const deliveries = this.query.get('status') ?? '';
    return html`${factList([
      ['URL', shown(url)],
      ['State', stateOf(endpoint)],
      ['Description', shown(description)],
      ['Events', types === null ? 'all' : types.join(', ')],
      ['Collections', collectionIds === null ? 'all' : collectionIds.join(', ')],
      ['Created', html`${localTime(createdAt)} by ${shown(createdBy)}`],
      ['Secret changed', localTime(secretChangedAt)],
      ['Id', id],
    ])}
      <p class="pages">
        ${actionDialog('Send a test', { label: 'Send', request: () => post('test'), isRepeatable: false, done: () => this.tell('A test event was sent: see its delivery.') })}
        ${actionDialog('Change', {
          label: 'Save',
          fields,
          request: ({ url, description = null, types, collectionIds }) =>
            change({
              url,
              description,
              types: types?.length ? types : null,
              collectionIds: collectionIds?.length ? collectionIds : null,
            }),
          done: () => this.tell('It was changed.'),
        })}
        ${actionDialog(status === 'enabled' ? 'Disable' : 'Enable', {
          label: 'Do it',
          request: () => change({ status: toggled }),
          done: () => this.tell(`It is ${toggled}.`),
        })}
        ${actionDialog(
          'Rotate the secret',
          {
            label: 'Rotate',
            request: () => post('rotate'),
            isRepeatable: false,
            done: ({ secret }) => this.tell(secretOnce(secret, '')),
          },
          html`<p>The former secret signs beside the new one for 24 hours.</p>`,
        )}
        ${actionDialog('Replay', {
          label: 'Send again',
          fields: [{ name: 'eventId', label: 'From this event on', isRequired: true }],
          request: (body) => post('replay', body),
          done: () => this.tell('Everything from this event on is sent again.'),
        })}
        ${actionDialog(
          'Delete',
          {
            label: 'Delete the endpoint',
            request: () => ({ method: 'DELETE', path: this.path }),
            done: () => go('/console/webhooks'),
          },
          html`<p>It gets nothing more, and its deliveries are deleted.</p>`,
        )}
      </p>
      <div role="status">${this.said}</div>
      <h2>Deliveries</h2>
      ${filterForm('Show', [{ name: 'status', label: 'Status', kind: 'select', options: optionsOf(['waiting', 'delivered', 'dead'], 'any'), value: deliveries }], ask)}
      ${pagedTable({
        caption: 'Deliveries, newest first',
        request: get(`${this.path}/deliveries`, { status: deliveries }),
        rows: 'deliveries',
        columns: this.columns(),
        empty: 'There is no such delivery.',
      })}`;
  }

  /** @returns {import('./table.js').Column[]} */
  columns() {
    return [
      ['Event', ({ type, eventId }) => html`${type}<br><small>${shown(eventId)}</small>`],
      ['Of', ({ subject }) => shown(subject)],
      [
        'Status',
        (/** @type {WebhookDelivery} */ { status, nextAttemptAt: next }) =>
          html`<strong class=${status}>${status}</strong>${next ? html`, next ${localTime(next)}` : nothing}`,
      ],
      ['Attempts', attempts],
      [
        'Again',
        ({ id }) =>
          actionDialog('Send again', {
            label: 'Send it now',
            request: () => ({ method: 'POST', path: this.path + path`/deliveries/${id}/resend`, body: {} }),
            isRepeatable: false,
            done: () => this.tell('The delivery was sent again.'),
          }),
      ],
    ];
  }
}
customElements.define('webhook-page', WebhookPage);

/** @param {WebhookDelivery} delivery */
const attempts = ({
  attempts,
}) => html`<details><summary>${attempts.length}, last ${attempts.at(-1)?.status ?? attempts.at(-1)?.failure ?? '–'}</summary>
  <ol>${attempts.map(({ at, status, failure, ms }) => html`<li>${localTime(at)}: ${status ?? ''} ${failure?.replaceAll('_', ' ')} (${ms} ms)</li>`)}</ol>
</details>`;
