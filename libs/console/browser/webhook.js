import { html, nothing } from 'lit';
import { call, get, path, write } from './api.js';
import { actionDialog } from './dialog.js';
import { nameOf } from './names.js';
import { ask, go, Page } from './page.js';
import { pagedTable, reload } from './table.js';
import { shown } from './text.js';
import { card, emptyState, factList, idOf, listOf, secretOnce, stateBadge, timeOf } from './view.js';
import { endpointFields, stateOf } from './webhooks.js';

/** @typedef {import('@action-platform/contracts').WebhookDelivery} WebhookDelivery */

const STATUSES = ['', 'waiting', 'delivered', 'dead'];
const DISABLE = /** @type {const} */ ([
  'Disable',
  'disabled',
  'It gets nothing from now on. Deliveries that wait are dead.',
]);
const ENABLE = /** @type {const} */ ([
  'Enable',
  'enabled',
  'It gets the events from now on. The feed of events has those that it missed.',
]);

/** One webhook endpoint and its deliveries, for Owners. */
class WebhookPage extends Page {
  get path() {
    return path`/api/v1/webhook-endpoints/${this.names[0] ?? ''}`;
  }

  async load() {
    this.loaded = (await call(get(this.path))).endpoint;
  }

  head() {
    const crumbs = /** @type {const} */ ([['webhooks', 'Webhooks']]);
    if (this.loaded === undefined) return { title: this.entry, crumbs };
    const { url, description } = this.loaded;
    return {
      title: html`${shown(description || new URL(url).host)} ${stateOf(this.loaded)}`,
      crumbs,
      about: html`<code>${shown(url)}</code>`,
      actions: this.actions(),
    };
  }

  /** Says what a step did, and shows the endpoint as it is then. @param {unknown} said */
  after(said) {
    this.attempt(() => this.load());
    this.show(said);
    reload();
  }

  /** A dialog that has something sent. @param {string} label @param {string} text @param {string} button @param {string} step @param {import('./dialog.js').DialogLook} [look] */
  sending(label, text, button, step, look = {}) {
    return actionDialog(
      label,
      {
        text,
        label: button,
        request: () => write('POST', `${this.path}/${step}`, {}),
        isRepeatable: false,
        done: () => this.after('It is sent: see its delivery.'),
      },
      look,
    );
  }

  /** The dialogs about the endpoint; one that is disabled is sent nothing. */
  actions() {
    const endpoint = this.loaded;
    const [toggle, status, effect] = endpoint.status === 'enabled' ? DISABLE : ENABLE;
    const change = async () => ({
      text: 'The next deliveries follow what you save.',
      label: 'Save the endpoint',
      fields: await endpointFields(endpoint),
      isEdit: true,
      request: (/** @type {import('./edits.js').Values} */ changes) => write('PATCH', this.path, changes),
      done: () => this.after('It was changed.'),
    });
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
      look: 'danger',
      request: () => write('DELETE', this.path),
      done: () => go('/console/webhooks'),
    };
    const sent = this.sending(
      'Send a test',
      'The endpoint gets an event of the type webhook.test.',
      'Send the test',
      'test',
    );
    return html`${endpoint.status === 'enabled' ? sent : nothing} ${actionDialog('Change', change, { icon: 'pencil' })}
      ${actionDialog(toggle, switching, {})} ${actionDialog('Rotate the secret', rotation, {})} ${actionDialog('Delete', deletion, { icon: 'trash-2', tone: 'danger' })}`;
  }

  /** @param {WebhookDelivery} delivery */
  again({ id, type }) {
    if (this.loaded.status !== 'enabled') return 'once it is enabled';
    return this.sending(
      'Send again',
      `The endpoint gets ${type} once more, with the same id.`,
      'Send it again',
      path`deliveries/${id}/resend`,
      { tone: 'small' },
    );
  }

  content() {
    const { id, types, collectionIds, createdAt, createdBy, secretChangedAt } = this.loaded;
    const status = this.query.get('status') ?? '';
    const choice = (/** @type {string} */ each) =>
      html`<button type="button" aria-pressed=${each === status} @click=${() => ask({ status: each })}>${each || 'any'}</button>`;
    return html`<div class="two">${pagedTable({
      caption: 'Deliveries, newest first',
      request: get(`${this.path}/deliveries`, { status }),
      rows: 'deliveries',
      tools: html`<span class="segments" role="group" aria-label="Status">${STATUSES.map(choice)}</span>`,
      columns: [
        ['Event', ({ type, eventId }) => html`<strong>${type}</strong> ${idOf(eventId)}`],
        ['Of', ({ subject }) => idOf(subject)],
        ['Status', statusOf],
        ['Attempts', attempts],
        ['', (delivery) => this.again(delivery), 'end-cell'],
      ],
      empty: emptyState('webhook', 'There is no such delivery', 'Send a test: it arrives within a second.'),
    })}
    ${card(
      'Endpoint',
      factList([
        ['Events', types === null ? 'all, also of kinds to come' : listOf(types, (type) => type)],
        [
          'Collections',
          collectionIds === null
            ? 'all, also those to come'
            : listOf(collectionIds, (each) => nameOf('collection', each)),
        ],
        ['Created', html`${timeOf(createdAt)} by ${nameOf('member', createdBy)}`],
        ['Secret changed', timeOf(secretChangedAt)],
        ['Id', idOf(id)],
      ]),
    )}</div>`;
  }
}
customElements.define('webhook-page', WebhookPage);

/** @param {WebhookDelivery} delivery */
const statusOf = ({ status, nextAttemptAt: next }) =>
  html`${stateBadge(status)}${next ? html`<small>next ${timeOf(next)}</small>` : nothing}`;

/** @param {WebhookDelivery} delivery */
const attempts = ({
  attempts: all,
}) => html`<details><summary>${all.length}, last ${all.at(-1)?.status ?? all.at(-1)?.failure?.replaceAll('_', ' ') ?? '–'}</summary>
  <ol>${all.map(({ at, status, failure, ms }) => html`<li>${timeOf(at)}: ${status ?? ''} ${failure?.replaceAll('_', ' ')} (${ms} ms)</li>`)}</ol>
</details>`;
