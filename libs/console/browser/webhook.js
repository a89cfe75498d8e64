import { html, nothing } from 'lit';
import { call, get, path, write } from './api.js';
import { field, optionsOf, select } from './fields.js';
import { actionDialog, filterForm } from './form.js';
import { ask, doneBy, factList, go, idOf, localTime, Page, secretOnce } from './page.js';
import { pagedTable, reload } from './table.js';
import { shown } from './text.js';
import { endpointFields, stateOf } from './webhooks.js';

/** @typedef {import('@action-platform/contracts').WebhookDelivery} WebhookDelivery */

const STATUSES = optionsOf(['waiting', 'delivered', 'dead'], 'any');
const DISABLE = /** @type {const} */ ([
  'Disable',
  'disabled',
  'It gets nothing from now on. Deliveries that wait are dead.',
]);
const ENABLE = /** @type {const} */ ([
  'Enable',
  'enabled',
  'It gets the events from now on. Replay those that it missed.',
]);

/** One webhook endpoint and its deliveries, for Owners. */
class WebhookPage extends Page {
  get path() {
    return path`/api/v1/webhook-endpoints/${this.names[0] ?? ''}`;
  }

  async load() {
    const { endpoint } = await call(get(this.path));
    this.loaded = { endpoint, fields: await endpointFields(endpoint) };
  }

  /** Says what a step did, and shows the endpoint as it is then. @param {unknown} said */
  after(said) {
    this.attempt(() => this.load());
    this.show(said);
    reload();
  }

  /** A dialog that has something sent. @param {string} label @param {string} text @param {string} button @param {string} step @param {import('./fields.js').Field[]} [fields] */
  sending(label, text, button, step, fields = []) {
    return actionDialog(label, {
      text,
      label: button,
      fields,
      request: (body) => write('POST', `${this.path}/${step}`, body),
      isRepeatable: false,
      done: () => this.after('It is sent: see its delivery.'),
    });
  }

  /** The dialogs about the endpoint; one that is disabled is sent nothing. */
  actions() {
    const { endpoint, fields } = this.loaded;
    const [toggle, status, effect] = endpoint.status === 'enabled' ? DISABLE : ENABLE;
    /** @type {import('./form.js').DialogOptions} */
    const change = {
      text: 'The next deliveries follow what you save.',
      label: 'Save the endpoint',
      fields,
      isEdit: true,
      request: (changes) => write('PATCH', this.path, changes),
      done: () => this.after('It was changed.'),
    };
    const switching = {
      text: effect,
      label: `${toggle} the endpoint`,
      request: () => write('PATCH', this.path, { status }),
      done: () => this.after(`It is ${status}.`),
    };
    const rotation = {
      text: 'The former secret signs beside the new one for 24 hours.',
      label: 'Make a new secret',
      request: () => write('POST', `${this.path}/rotate`, {}),
      isRepeatable: false,
      done: (/** @type {{ secret: string }} */ { secret }) => this.after(secretOnce(secret, '')),
    };
    const deletion = {
      text: 'It gets nothing more, and its deliveries are deleted.',
      label: 'Delete the endpoint',
      request: () => write('DELETE', this.path),
      done: () => go('/console/webhooks'),
    };
    const event = [field('eventId', 'From this event on', { isRequired: true })];
    const sent = html`${this.sending('Send a test', 'The endpoint gets an event of the type webhook.test.', 'Send the test', 'test')}
      ${this.sending('Replay', 'The endpoint gets this event and each later one again, in order.', 'Replay the events', 'replay', event)}`;
    return html`${endpoint.status === 'enabled' ? sent : nothing} ${actionDialog('Change', change)}
      ${actionDialog(toggle, switching)} ${actionDialog('Rotate the secret', rotation)} ${actionDialog('Delete', deletion)}`;
  }

  /** @param {WebhookDelivery} delivery */
  again({ id, type }) {
    if (this.loaded.endpoint.status !== 'enabled') return 'once it is enabled';
    return this.sending(
      'Send again',
      `The endpoint gets ${type} once more, with the same id.`,
      'Send it again',
      path`deliveries/${id}/resend`,
    );
  }

  content() {
    const { endpoint } = this.loaded;
    const { id, url, description, types, collectionIds, createdAt, createdBy, secretChangedAt } = endpoint;
    const status = this.query.get('status') ?? '';
    return html`${factList([
      ['URL', shown(url)],
      ['State', stateOf(endpoint)],
      ['Description', shown(description)],
      ['Events', types?.join(', ') ?? 'all'],
      ['Collections', collectionIds?.join(', ') ?? 'all'],
      ['Created', doneBy(createdAt, createdBy)],
      ['Secret changed', localTime(secretChangedAt)],
      ['Id', id],
    ])}
      <p class="pages">${this.actions()}</p>
      <h2>Deliveries</h2>
      ${filterForm('Show', [select('status', 'Status', STATUSES, status)], ask)}
      ${pagedTable({
        caption: 'Deliveries, newest first',
        request: get(`${this.path}/deliveries`, { status }),
        rows: 'deliveries',
        columns: [
          ['Event', ({ type, eventId }) => html`${type}<br>${idOf(eventId)}`],
          ['Of', ({ subject }) => idOf(subject)],
          ['Status', statusOf],
          ['Attempts', attempts],
          ['Again', (delivery) => this.again(delivery)],
        ],
        empty: 'There is no such delivery.',
      })}`;
  }
}
customElements.define('webhook-page', WebhookPage);

/** @param {WebhookDelivery} delivery */
const statusOf = ({ status, nextAttemptAt: next }) =>
  html`<strong class=${status}>${status}</strong>${next ? html`, next ${localTime(next)}` : nothing}`;

/** @param {WebhookDelivery} delivery */
const attempts = ({
  attempts: all,
}) => html`<details><summary>${all.length}, last ${all.at(-1)?.status ?? all.at(-1)?.failure ?? '–'}</summary>
  <ol>${all.map(({ at, status, failure, ms }) => html`<li>${localTime(at)}: ${status ?? ''} ${failure?.replaceAll('_', ' ')} (${ms} ms)</li>`)}</ol>
</details>`;
