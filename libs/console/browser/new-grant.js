import { html, nothing } from 'lit';
import { call, execute, get, hasMail, write } from './api.js';
import { actionForm, choices, field, select } from './form.js';
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
        request: (values) => write('POST', `/api/v1/${kind}-grants`, body(values)),
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

  /** @returns {Field[]} */
  operationFields() {
    const { operations } = this.loaded;
    return [
      {
        ...choices('operationScope', 'Operation', operations, optionOf, { kind: 'select' }),
        isRequired: true,
      },
      field('name', 'Name', { longest: 100 }),
      ends(),
    ];
  }

  /** @returns {Field[]} */
  routineFields() {
    const { operations, collections, senders } = this.loaded;
    const isShown = (/** @type {Values} */ { operations = [] }) => operations.includes('mail.send_email');
    return [
      field('name', 'Name', { longest: 100, isRequired: true }),
      choices('operations', 'Operations', operations, optionOf),
      choices(
        'collectionIds',
        'Collections that it reaches, of the 200 oldest',
        collections,
        ({ id, name }) => [id, shown(name)],
      ),
      choices(
        'senderIds',
        'Mailboxes that it reaches',
        senders,
        ({ sender_id: id, email }) => [id, shown(email)],
        { isShown },
      ),
      field('outputDefinition', 'What its e-mails are for', {
        hint: 'such as weekly-report',
        isShown,
        isRequired: true,
      }),
      choices('fileScopes', 'Files that it reaches', ['company', 'personal'], (scope) => [scope, scope]),
      field('invocations', 'Most runs', { kind: 'number', value: '1', isRequired: true }),
      select('period', 'in a', PERIODS, '86400'),
      ends(),
    ];
  }
}
customElements.define('new-grant', NewGrant);

/** @param {{ id: string, title: string }} operation @returns {readonly [string, unknown]} */
const optionOf = ({ id, title }) => [id, html`${title} (${id})`];

const ends = () => {
  const value = new Date(Date.now() + MONTH_MS).toISOString().slice(0, 16);
  return field('expiresAt', 'Ends', { kind: 'time', value, isRequired: true });
};

/** @param {Values} values */
function routineBody({ invocations, period, collectionIds, senderIds = [], fileScopes, ...others }) {
  const lists = Object.entries({ collectionIds, senderIds, fileScopes }).filter(([, ids]) => ids?.length > 0);
  const maximumCadence = { invocations, periodSeconds: Number(period) };
  return { ...others, data: Object.fromEntries(lists), maximumCadence };
}
