import { html, nothing } from 'lit';
import { call, get, path, write } from './api.js';
import { actionDialog, field, filterForm, optionsOf, select } from './form.js';
import { ask, doneBy, factList, go, localTime, Page, secretOnce } from './page.js';
import { pagedTable, reload } from './table.js';
import { shown } from './text.js';
import { endpointFields, stateOf } from './webhooks.js';

/** @typedef {import('@action-platform/contracts').WebhookDelivery} WebhookDelivery */

const STATUSES = optionsOf(['waiting', 'delivered', 'dead'], 'any');

/** One webhook endpoint and its deliveries, for Owners. */
class WebhookPage extends Page {
  /** The message of the last step. @type {unknown} */
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

  /** A step that takes no more than a click. @param {string} label @param {string} step @param {string} said */
  step(label, step, said) {
    return actionDialog(label, {
      label: 'Send',
      request: () => write('POST', `${this.path}/${step}`, {}),
      isRepeatable: false,
      done: () => this.tell(said),
    });
  }

  /** The form that changes the endpoint. */
  changes() {
    const { endpoint, fields } = this.loaded;
    const toggled = endpoint.status === 'enabled' ? 'disabled' : 'enabled';
    const chosen = (/** @type {string[]} */ ids) => (ids.length > 0 ? ids : null);
    return html`${actionDialog('Change', {
      label: 'Save',
      fields,
      request: ({ url, description = null, types = [], collectionIds = [] }) =>
        write('PATCH', this.path, {
          url,
          description,
          types: chosen(types),
          collectionIds: chosen(collectionIds),
        }),
      done: () => this.tell('It was changed.'),
    })}
      ${actionDialog(toggled === 'disabled' ? 'Disable' : 'Enable', {
        label: 'Do it',
        request: () => write('PATCH', this.path, { status: toggled }),
        done: () => this.tell(`It is ${toggled}.`),
      })}
      ${actionDialog(
        'Rotate the secret',
        {
          label: 'Rotate',
          request: () => write('POST', `${this.path}/rotate`, {}),
          isRepeatable: false,
          done: ({ secret }) => this.tell(secretOnce(secret, '')),
        },
        html`<p>The former secret signs beside the new one for 24 hours.</p>`,
      )}
      ${actionDialog('Replay', {
        label: 'Send again',
        fields: [field('eventId', 'From this event on', { isRequired: true })],
        request: (body) => write('POST', `${this.path}/replay`, body),
        done: () => this.tell('Everything from this event on is sent again.'),
      })}
      ${actionDialog(
        'Delete',
        {
          label: 'Delete the endpoint',
          request: () => write('DELETE', this.path),
          done: () => go('/console/webhooks'),
        },
        html`<p>It gets nothing more, and its deliveries are deleted.</p>`,
      )}`;
  }

  /** @override */
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
      <p class="pages">${this.step('Send a test', 'test', 'A test event was sent: see its delivery.')} ${this.changes()}</p>
      <div role="status">${this.said}</div>
      <h2>Deliveries</h2>
      ${filterForm('Show', [select('status', 'Status', STATUSES, status)], ask)}
      ${pagedTable({
        caption: 'Deliveries, newest first',
        request: get(`${this.path}/deliveries`, { status }),
        rows: 'deliveries',
        columns: [
          ['Event', ({ type, eventId }) => html`${type}<br><small>${shown(eventId)}</small>`],
          ['Of', ({ subject }) => shown(subject)],
          ['Status', statusOf],
          ['Attempts', attempts],
          [
            'Again',
            ({ id }) =>
              this.step('Send again', path`deliveries/${id}/resend`, 'The delivery was sent again.'),
          ],
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
  attempts,
}) => html`<details><summary>${attempts.length}, last ${attempts.at(-1)?.status ?? attempts.at(-1)?.failure ?? '–'}</summary>
  <ol>${attempts.map(({ at, status, failure, ms }) => html`<li>${localTime(at)}: ${status ?? ''} ${failure?.replaceAll('_', ' ')} (${ms} ms)</li>`)}</ol>
</details>`;
