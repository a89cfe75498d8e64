import { html, nothing } from 'lit';
import { call, curlOf, exampleOf, execute, get, hasMail, operation, RUN_HEADER, write } from './api.js';
import { collectionChoices, grantOperationChoices, senderChoices } from './choices.js';
import { actionDialog } from './dialog.js';
import { choices, field, select } from './fields.js';
import { LightElement, Part } from './page.js';
import { reload } from './table.js';
import { shown, withoutHidden } from './text.js';
import { secretOnce } from './view.js';

/** @typedef {import('./edits.js').Field} Field */
/** @typedef {import('./edits.js').Values} Values */
/** @typedef {import('@action-platform/contracts').OperationDescriptor} OperationDescriptor */

const MONTH_MS = 30 * 86_400_000;
const PERIODS = Object.entries({ 3600: 'hour', 86400: 'day', 604800: 'week' });

/**
 * The operations that a routine grant of each purpose begins with, of those that the Member may call.
 * @type {Readonly<Record<string, { name: string, allows: (operation: OperationDescriptor) => boolean, needsMail?: boolean }>>}
 */
const PRESETS = {
  'Import into a Collection': {
    name: 'Import',
    allows: ({ id }) => /^record_store\.(push_records?|replace_record|get_record|list_records)$/.test(id),
  },
  'Read everything': { name: 'Reader', allows: (operation) => !isWrite(operation) },
  'Draft e-mails': { name: 'E-mail drafts', allows: ({ id }) => id.startsWith('mail.'), needsMail: true },
};

/** Whether an operation writes: a rule can hold it. @param {OperationDescriptor} operation */
const isWrite = ({ errors }) => errors.some(({ code }) => code === 'operation_approval_required');

/** The buttons that make a grant, from what the Member may call and see. */
class NewGrantButtons extends LightElement {
  render() {
    return html`${this.dialog('Make an operation grant', 'operation', 'A secret for one operation. It acts as you.', operationFields, (values) => values, {})}
      ${this.dialog('Make a routine grant', 'routine', 'A secret for a job that runs again and again. It acts as you, with these operations on this data alone. What it allows is fixed for good: a wider one is another grant.', routineFields, routineBody, { icon: 'plus', tone: 'primary' })}`;
  }

  /** @param {string} label @param {string} kind @param {string} text @param {(operations: OperationDescriptor[]) => Promise<Field[]>} fields @param {(values: Values) => object} body @param {import('./dialog.js').DialogLook} look */
  dialog(label, kind, text, fields, body, look) {
    const options = async () => {
      const { operations } = await call(get('/api/v1/operations'));
      return {
        text,
        label: 'Make the grant',
        fields: await fields(operations),
        request: (/** @type {Values} */ values) => write('POST', `/api/v1/${kind}-grants`, body(values)),
        keyName: 'idempotencyKey',
        done: (/** @type {{ grant: any, secret?: string }} */ answer) => {
          const made = /** @type {MadeGrant | null} */ (document.querySelector('made-grant'));
          made?.tell(answer, operations);
          reload();
        },
      };
    };
    return actionDialog(label, options, look);
  }
}
customElements.define('new-grant-buttons', NewGrantButtons);

/** The secret of a grant that was made, and its first calls. */
class MadeGrant extends Part {
  /** @param {{ grant: any, secret?: string }} answer @param {OperationDescriptor[]} operations */
  async tell({ grant, secret }, operations) {
    const { operations: allowed = [grant.operationScope ?? ''], data = {}, kind, name } = grant;
    const headers = { [RUN_HEADER]: 'run-1' };
    const first = await firstCall(
      operations.filter(({ id }) => allowed.includes(id)),
      data,
    );
    const call = kind === 'routine' && first ? { ...first, headers } : first;
    this.show(html`<h2>${shown(name ?? 'The grant')} was made</h2>
      ${secretOnce(secret, 'The grant was made before, and its secret is in use.')}
      <p>What it may call. This costs no run:</p>
      <pre tabindex="0">${withoutHidden(exportsOf(secret) + curlOf(get('/api/v1/operations')))}</pre>
      ${call ? html`<p>Its first call${kind === 'routine' ? html`, which is one run of its ${grant.maximumCadence.invocations}` : nothing}:</p><pre tabindex="0">${withoutHidden(curlOf(call))}</pre>` : nothing}
      ${kind === 'routine' ? html`<p>Each call names its run in <code>${RUN_HEADER}</code>: one name for all calls of a run, another for the next run.</p>` : nothing}`);
  }
}
customElements.define('made-grant', MadeGrant);

/** The lines with which both commands run as they are pasted. @param {string | undefined} secret */
const exportsOf = (secret) => `export BASE_URL=${location.origin}\nexport TOKEN=${secret ?? '…'}\n`;

/**
 * A call that succeeds: the first operation that reads, with real ids in the place of those of its example.
 * @param {readonly OperationDescriptor[]} operations
 * @param {{ collectionIds?: string[] }} data
 */
async function firstCall(operations, { collectionIds: [collection] = [] }) {
  const chosen =
    operations.find((each) => !isWrite(each) && !/get_|audit/.test(each.id)) ??
    operations.find((each) => !isWrite(each)) ??
    operations[0];
  if (chosen === undefined) return undefined;
  const input = exampleOf(/** @type {any} */ (chosen.inputSchema));
  if ('collection_id' in input) {
    const first =
      collection ?? (await execute('record_store.list_collections', { limit: 1 })).collections[0]?.id;
    input.collection_id = first ?? input.collection_id;
    if ('record_id' in input) {
      const { records } = await execute('record_store.list_records', {
        collection_id: first,
        limit: 1,
      }).catch(() => ({ records: [] }));
      input.record_id = records[0]?.id ?? input.record_id;
    }
  }
  return operation(chosen.id, input);
}

/** @param {OperationDescriptor[]} operations @returns {Promise<Field[]>} */
const operationFields = async (operations) => [
  field('operationScope', 'Operation', {
    kind: 'select',
    options: operations.map((each) => [each.id, `${each.title} (${each.id})`]),
    isRequired: true,
  }),
  field('name', 'Name', { longest: 100 }),
  ends(),
];

/** @param {OperationDescriptor[]} operations @returns {Promise<Field[]>} */
async function routineFields(operations) {
  const isShown = (/** @type {Values} */ { operations = [] }) => operations.includes('mail.send_email');
  const presets = Object.entries(PRESETS)
    .filter(([, { needsMail }]) => !needsMail || hasMail())
    .map(
      ([label, { allows }]) => /** @type {const} */ ([label, operations.filter(allows).map(({ id }) => id)]),
    );
  return [
    field('name', 'Name', { longest: 100, isRequired: true, step: '1. What it is for' }),
    choices('operations', 'Operations', grantOperationChoices(operations, isWrite), {
      step: '2. What it may do',
      presets,
    }),
    choices('collectionIds', 'Collections that it reaches', collectionChoices, {
      step: '3. What it reaches',
    }),
    ...(hasMail() ? [choices('senderIds', 'Mailboxes that it reaches', senderChoices, { isShown })] : []),
    field('outputDefinition', 'What its e-mails are for, such as weekly-report', {
      isShown,
      isRequired: true,
    }),
    choices('fileScopes', 'Files that it reaches', [
      ['company', 'company'],
      ['personal', 'personal'],
    ]),
    field('invocations', 'Most runs', {
      kind: 'number',
      value: '1',
      isRequired: true,
      step: '4. How often, and until when',
    }),
    select('periodSeconds', 'in a', PERIODS, '86400'),
    ends(),
  ];
}

const ends = () =>
  field('expiresAt', 'Ends', {
    kind: 'time',
    value: new Date(Date.now() + MONTH_MS).toISOString(),
    isRequired: true,
  });

/** @param {Values} values */
function routineBody({ invocations, periodSeconds, collectionIds, senderIds = [], fileScopes, ...others }) {
  const lists = Object.entries({ collectionIds, senderIds, fileScopes }).filter(([, ids]) => ids?.length > 0);
  const maximumCadence = { invocations, periodSeconds: Number(periodSeconds) };
  return { ...others, data: Object.fromEntries(lists), maximumCadence };
}
