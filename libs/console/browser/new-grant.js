import { html, nothing } from 'lit';
import { call, curlOf, exampleOf, get, hasMail, operation, RUN_HEADER, write } from './api.js';
import { collectionChoices, operationChoices, senderChoices } from './choices.js';
import { choices, field, select } from './fields.js';
import { actionDialog } from './form.js';
import { Page, secretOnce } from './page.js';
import { reload } from './table.js';
import { shown, withoutHidden } from './text.js';

/** @typedef {import('./fields.js').Field} Field */
/** @typedef {import('./fields.js').Values} Values */

const MONTH_MS = 30 * 86_400_000;
const PERIODS = Object.entries({ 3600: 'hour', 86400: 'day', 604800: 'week' });

/** The forms that make a grant, from what the Member may call and see. */
class NewGrant extends Page {
  async load() {
    this.loaded = (await call(get('/api/v1/operations'))).operations;
  }

  content() {
    /** @param {string} label @param {string} kind @param {string} text @param {Field[]} fields @param {(values: Values) => object} body */
    const dialog = (label, kind, text, fields, body) =>
      actionDialog(label, {
        text,
        label: 'Make the grant',
        fields,
        request: (values) => write('POST', `/api/v1/${kind}-grants`, body(values)),
        keyName: 'idempotencyKey',
        done: (answer) => {
          this.show(this.made(answer));
          reload();
        },
      });
    return html`<p class="pages">
      ${dialog('Make a routine grant', 'routine', 'A secret for a job that runs again and again. It acts as you, with these operations on this data alone.', this.routineFields(), routineBody)}
      ${dialog('Make an operation grant', 'operation', 'A secret for one operation. It acts as you.', this.operationFields(), (values) => values)}</p>`;
  }

  /** The secret of a grant that was made, and its first call. @param {{ grant: any, secret?: string }} answer */
  made({ grant, secret }) {
    const { operations = [grant.operationScope ?? ''], data = {}, kind, name } = grant;
    const [id = ''] = operations;
    const input = exampleOf(this.loaded.find((/** @type {any} */ each) => each.id === id).inputSchema);
    const [collection_id = input.collection_id] = data.collectionIds ?? [];
    const request = operation(id, 'collection_id' in input ? { ...input, collection_id } : input);
    const headers = { [RUN_HEADER]: 'run-1' };
    return html`<h2>${shown(name ?? 'The grant')} was made</h2>
      ${secretOnce(secret, 'The grant was made before, and its secret is in use.')}
      <p>Its first call, with the secret in <code>TOKEN</code> and <code>${location.origin}</code> in <code>BASE_URL</code>:</p>
      <pre tabindex="0">${withoutHidden(curlOf(kind === 'routine' ? { ...request, headers } : request))}</pre>
      ${kind === 'routine' ? html`<p>Each call names its run in <code>${RUN_HEADER}</code>: one name for all calls of a run, another for the next run.</p>` : nothing}`;
  }

  /** @returns {Field[]} */
  operationFields() {
    const options = this.loaded.map(optionOf);
    return [
      field('operationScope', 'Operation', { kind: 'select', options, isRequired: true }),
      field('name', 'Name', { longest: 100 }),
      ends(),
    ];
  }

  /** @returns {Field[]} */
  routineFields() {
    const isShown = (/** @type {Values} */ { operations = [] }) => operations.includes('mail.send_email');
    return [
      field('name', 'Name', { longest: 100, isRequired: true }),
      choices('operations', 'Operations', operationChoices(this.loaded)),
      choices('collectionIds', 'Collections that it reaches', collectionChoices),
      ...(hasMail() ? [choices('senderIds', 'Mailboxes that it reaches', senderChoices, { isShown })] : []),
      field('outputDefinition', 'What its e-mails are for, such as weekly-report', {
        isShown,
        isRequired: true,
      }),
      choices('fileScopes', 'Files that it reaches', [
        ['company', 'company'],
        ['personal', 'personal'],
      ]),
      field('invocations', 'Most runs', { kind: 'number', value: '1', isRequired: true }),
      select('periodSeconds', 'in a', PERIODS, '86400'),
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
function routineBody({ invocations, periodSeconds, collectionIds, senderIds = [], fileScopes, ...others }) {
  const lists = Object.entries({ collectionIds, senderIds, fileScopes }).filter(([, ids]) => ids?.length > 0);
  const maximumCadence = { invocations, periodSeconds: Number(periodSeconds) };
  return { ...others, data: Object.fromEntries(lists), maximumCadence };
}
