import { html, nothing } from 'lit';
import { secretOnce } from '../../elements/copy-button.js';
import { link } from '../../elements/links.js';
import { doneBy } from '../../elements/names.js';
import { go, Page } from '../../elements/page.js';
import { pagedTable, reload } from '../../elements/table.js';
import {
  card,
  emptyState,
  factList,
  idOf,
  optionsOf,
  stateBadge,
  timeOf,
  titled,
} from '../../elements/view.js';
import { actionDialog } from '../../forms/dialog.js';
import { call, get, path, write } from '../../platform/api.js';
import { shown } from '../../text/text.js';
import { collectionsOf, endpointFields, stateOf, typesOf } from './webhooks.js';

/** @typedef {import('@action-platform/contracts/resources').WebhookDelivery} WebhookDelivery */

const STATUSES = optionsOf(['waiting', 'delivered', 'dead'], 'any');

/** One webhook endpoint and its deliveries, for Owners. */
export default class WebhookPage extends Page {
  crumbs = () => [link('webhooks', 'Webhooks')];

  get path() {
    return path`/api/v1/webhook-endpoints/${this.names[0] ?? ''}`;
  }

  async load() {
    this.loaded = (await call(get(this.path))).endpoint;
  }

  head() {
    if (this.loaded === undefined) return {};
    const { url, description } = this.loaded;
    return {
      title: html`${shown(description || new URL(url).host)} ${stateOf(this.loaded)}`,
      about: html`<code>${shown(url)}</code>`,
      actions: this.actions(),
    };
  }

  /** Reports a step, and loads the endpoint again. @param {unknown} report */
  after(report) {
    this.attempt(() => this.load());
    this.show(report);
    reload();
  }

  /** A dialog that sends a delivery. @param {string} opens @param {string} text @param {string} label @param {string} step */
  sending = (opens, text, label, step) =>
    actionDialog({
      opens,
      text,
      label,
      isRepeatable: false,
      request: () => write('POST', `${this.path}/${step}`, {}),
      done: () => this.after('It was sent: see its delivery.'),
    });

  /** A dialog that enables or disables the endpoint. @param {'Enable' | 'Disable'} opens @param {string} text */
  turning = (opens, text) =>
    actionDialog({
      opens,
      text,
      label: `${opens} the endpoint`,
      request: () => write('PATCH', this.path, { status: `${opens.toLowerCase()}d` }),
      done: () => this.after(`It is ${opens.toLowerCase()}d.`),
    });

  /** The dialogs about the endpoint. The platform sends nothing to a disabled endpoint. */
  actions() {
    const endpoint = this.loaded;
    /** @returns {Promise<import('../../forms/dialog.js').Content>} */
    const fetch = async () => ({
      text: 'The next deliveries follow what you save.',
      label: 'Save the endpoint',
      fields: await endpointFields(endpoint),
      isEdit: true,
      request: (changes) => write('PATCH', this.path, changes),
      done: () => this.after('It was changed.'),
    });
    const rotation = actionDialog({
      opens: 'Rotate the secret',
      text: 'The former secret signs beside the new one for 24 hours.',
      label: 'Make a new secret',
      request: () => write('POST', `${this.path}/rotate`, {}),
      isRepeatable: false,
      done: ({ secret }) => this.after(secretOnce(secret, '')),
    });
    const deletion = actionDialog({
      opens: 'Delete',
      icon: 'trash-2',
      tone: 'danger',
      text: 'It gets nothing more, and its deliveries are deleted.',
      label: 'Delete the endpoint',
      request: () => write('DELETE', this.path),
      done: () => go('/console/webhooks'),
    });
    const test = 'The endpoint gets an event of the type webhook.test.';
    const isEnabled = endpoint.status === 'enabled';
    return [
      isEnabled ? this.sending('Send a test', test, 'Send the test', 'test') : nothing,
      actionDialog({ opens: 'Change', icon: 'pencil', fetch }),
      isEnabled
        ? this.turning('Disable', 'It gets nothing from now on. Deliveries that wait are dead.')
        : this.turning(
            'Enable',
            'It gets the events from now on. The feed of events has those that it missed.',
          ),
      endpoint.form === 'event' ? rotation : nothing,
      deletion,
    ];
  }

  /** @param {WebhookDelivery} delivery */
  again({ id, type }) {
    if (this.loaded.status !== 'enabled') return 'once it is enabled';
    const text = `The endpoint gets ${type} once more, with the same id.`;
    return this.sending('Send again', text, 'Send it again', path`deliveries/${id}/resend`);
  }

  content() {
    const endpoint = this.loaded;
    return html`<div class="two">${pagedTable({
      caption: 'Deliveries, newest first',
      request: get(`${this.path}/deliveries`, { status: this.asked.status }),
      rows: 'deliveries',
      tools: this.choice('Status', 'status', STATUSES),
      columns: {
        Event: ({ type, eventId, subject }) => titled(type, html`${idOf(eventId)} of ${idOf(subject)}`),
        Status: ({ status, nextAttemptAt: next }) =>
          html`${stateBadge(status)}${next ? html`<small>next ${timeOf(next)}</small>` : nothing}`,
        Attempts: attemptsOf,
        '': (delivery) => this.again(delivery),
      },
      empty: emptyState('webhook', 'There is no such delivery', 'Send a test: it arrives within a second.'),
    })}
    ${card(
      'Endpoint',
      factList([
        ['Events', typesOf(endpoint)],
        ['Collections', collectionsOf(endpoint)],
        ['Created', doneBy(endpoint.createdAt, endpoint.createdBy)],
        ['Secret changed', timeOf(endpoint.secretChangedAt)],
        ['Id', idOf(endpoint.id)],
      ]),
    )}</div>`;
  }
}

/** @param {WebhookDelivery} delivery */
function attemptsOf({ attempts }) {
  const last = attempts.at(-1);
  const why = (/** @type {string | null | undefined} */ failure) => failure?.replaceAll('_', ' ');
  return html`<details><summary>${attempts.length}, last ${last?.status ?? why(last?.failure) ?? '–'}</summary>
    <ol>${attempts.map(({ at, status, failure, ms }) => html`<li>${timeOf(at)}: ${status ?? ''} ${why(failure)} (${ms} ms)</li>`)}</ol>
  </details>`;
}
