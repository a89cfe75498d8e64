import { html, nothing } from 'lit';
import { call, execute, get, hasMail } from './api.js';
import { actionForm } from './form.js';
import { Page, secretOnce } from './page.js';
import { shown } from './text.js';

/** @typedef {import('./form.js').Field} Field */
/** @typedef {import('./form.js').Values} Values */

const MONTH_MS = 30 * 86_400_000;
const PERIODS = /** @type {const} */ ([
  ['86400', 'day'],
  ['3600', 'hour'],
  ['604800', 'week'],
]);
const MAIL = 'mail.send_email';

/** The forms that make a grant, from what the Member may call and see. */
class NewGrant extends Page {
  /** Called when a grant was made. */
  made = () => {};
  /** The secret of the grant that was made. @type {unknown} */
  secret = nothing;

  /** @override */
  async load() {
    const isAvailable = hasMail();
    const [{ operations }, { collections }, { senders }] = await Promise.all([
      call(get('/api/v1/operations')),
      execute('record_store.list_collections', { limit: 200 }),
      isAvailable ? execute('mail.list_authorized_senders') : { senders: [] },
    ]);
    this.loaded = { operations, collections, senders };
  }

  /** @override */
  content() {
    /** @param {string} label @param {string} kind @param {Field[]} fields @param {(values: Values) => object} body */
    const form = (label, kind, fields, body) =>
      html`<details><summary>${label}</summary>${actionForm({
        label: 'Make it',
        fields,
        request: (values) => ({ method: 'POST', path: `/api/v1/${kind}-grants`, body: body(values) }),
        keyName: 'idempotencyKey',
        done: ({ secret }) => {
          this.secret = secretOnce(secret, 'The grant was made before, and its secret is in use.');
          this.requestUpdate();
          this.made();
        },
      })}</details>`;
    return html`${form('Make a routine grant, for a job', 'routine', this.routineFields(), routineBody)}
      ${form('Make an operation grant, for one operation', 'operation', this.operationFields(), (values) => values)}
      <div role="status">${this.secret}</div>`;
  }

  /** @returns {readonly (readonly [string, unknown])[]} */
  get operations() {
    return this.loaded.operations.map((/** @type {any} */ { id, title }) => [id, html`${title} (${id})`]);
  }

  /** @returns {Field[]} */
  operationFields() {
    return [
      {
        name: 'operationScope',
        label: 'Operation',
        kind: 'select',
        options: this.operations,
        isRequired: true,
      },
      { name: 'name', label: 'Name', longest: 100 },
      ends(),
    ];
  }

  /** @returns {Field[]} */
  routineFields() {
    const { collections, senders } = this.loaded;
    const sends = (/** @type {Values} */ { operations = [] }) => operations.includes(MAIL);
    return [
      { name: 'name', label: 'Name', longest: 100, isRequired: true },
      { name: 'operations', label: 'Operations', kind: 'choices', options: this.operations },
      {
        name: 'collectionIds',
        label: 'Collections that it reaches',
        kind: 'choices',
        options: collections.map((/** @type {any} */ { id, name }) => [id, shown(name)]),
        ...(collections.length === 200 && { hint: 'The 200 oldest; the API takes all.' }),
      },
      {
        name: 'senderIds',
        label: 'Mailboxes that it reaches',
        kind: 'choices',
        options: senders.map((/** @type {any} */ { sender_id: id, email }) => [id, shown(email)]),
        isShown: sends,
      },
      {
        name: 'outputDefinition',
        label: 'What its e-mails are for',
        hint: 'such as weekly-report',
        isShown: sends,
        isRequired: true,
      },
      {
        name: 'fileScopes',
        label: 'Files that it reaches',
        kind: 'choices',
        options: [
          ['company', 'Company Files'],
          ['personal', 'your Personal Files'],
        ],
      },
      { name: 'invocations', label: 'Most runs', kind: 'number', value: '1', isRequired: true },
      { name: 'period', label: 'in a', kind: 'select', options: PERIODS, value: '86400' },
      ends(),
    ];
  }
}
customElements.define('new-grant', NewGrant);

/** @returns {Field} */
const ends = () => ({
  name: 'expiresAt',
  label: 'Ends',
  kind: 'time',
  value: new Date(Date.now() + MONTH_MS).toISOString().slice(0, 16),
  isRequired: true,
});

/** @param {Values} values */
function routineBody({
  name,
  operations,
  collectionIds = [],
  senderIds = [],
  fileScopes = [],
  outputDefinition,
  invocations,
  period,
  expiresAt,
}) {
  const data = Object.fromEntries(
    Object.entries({ collectionIds, senderIds, fileScopes }).filter(([, ids]) => ids.length > 0),
  );
  const maximumCadence = { invocations, periodSeconds: Number(period) };
  return { name, operations, data, ...(outputDefinition && { outputDefinition }), maximumCadence, expiresAt };
}
