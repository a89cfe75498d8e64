import { html, nothing } from 'lit';
import { secretOnce } from '../../elements/copy-button.js';
import { guide } from '../../elements/links.js';
import { directories } from '../../elements/names.js';
import { reload } from '../../elements/table.js';
import { actionDialog } from '../../forms/dialog.js';
import { pairsOf } from '../../forms/edits.js';
import { choices, field, select } from '../../forms/fields.js';
import {
  call,
  curlOf,
  exampleOf,
  execute,
  get,
  hasMail,
  operation,
  RUN_HEADER,
  write,
} from '../../platform/api.js';
import { DAY } from '../../text/spoken.js';
import { shown, withoutHidden } from '../../text/text.js';
import { canBeHeld, operationsField } from '../approvals/rules.js';

/** @typedef {import('../../forms/edits.js').Field} Field */
/** @typedef {import('../../forms/edits.js').Values} Values */
/** @typedef {import('@action-platform/contracts/operations').OperationDescriptor} OperationDescriptor */

const KINDS = Object.entries({
  routine: 'routine: for a job or an agent that runs again and again',
  operation: 'operation: for one operation alone',
});
const PERIODS = Object.entries({ 3600: 'hour', 86400: 'day', 604800: 'week' });
const SCOPES = Object.entries({ company: 'company', personal: 'personal' });
const IMPORTS = /^record_store\.(push_records?|replace_record|get_record|list_records)$/;

/** The operations that a routine grant of each purpose begins with, of those that the Member may call. @type {Readonly<Record<string, (operation: OperationDescriptor) => boolean>>} */
const PRESETS = {
  'Import into a Collection': ({ id }) => IMPORTS.test(id),
  'Read everything': (operation) => !canBeHeld(operation),
  'Draft e-mails': ({ id }) => id.startsWith('mail.'),
};

/** The button that makes a grant, from what the Member may call and see. @param {(report: unknown) => void} show shows the secret */
export const newGrant = (show) =>
  actionDialog({
    opens: 'New grant',
    tone: 'primary',
    fetch: async () => {
      /** @type {{ operations: OperationDescriptor[] }} */
      const { operations } = await call(get('/api/v1/operations'));
      return {
        text: 'It acts as you, with what you tick on the data that you tick, and no more. What it allows is fixed for good: a wider one is another grant.',
        label: 'Make the grant',
        fields: fieldsOf(operations),
        request: ({ kind = 'routine', ...values }) => {
          const body = kind === 'routine' ? routineBody(values) : operationBody(values);
          return write('POST', `/api/v1/${kind}-grants`, withTrust(body));
        },
        keyName: 'idempotencyKey',
        done: async ({ grant, secret }) => {
          reload();
          show(await madeGrant(grant, secret, operations));
        },
      };
    },
  });

/** The secret of a grant that was made, and its first calls. @param {import('@action-platform/contracts/resources').Grant} grant @param {string | undefined} secret @param {OperationDescriptor[]} operations */
async function madeGrant(grant, secret, operations) {
  const isJob = grant.kind === 'routine';
  const allowed = grant.kind === 'operation' ? [grant.operationScope] : grant.operations;
  const collection = isJob ? grant.data.collectionIds?.[0] : undefined;
  const usable = operations.filter(({ id }) => allowed.includes(id));
  // The secret is shown nowhere else, also when no example is found.
  const first = await firstCall(usable, collection).catch(() => undefined);
  const { trust } = /** @type {any} */ (grant);
  const exports = `export BASE_URL=${location.origin}\nexport TOKEN=${secret ?? '…'}\n`;
  const run = isJob ? html`, which is one run of its ${grant.maximumCadence.invocations}` : nothing;
  return html`<h2>${shown(grant.name ?? 'The grant')} was made</h2>
    ${trust ? keyless(grant.id) : secretOnce(secret, 'The grant was made before, and its secret is in use.')}
    <p>What it may call. This costs no run:</p>
    <pre tabindex="0">${withoutHidden(exports + curlOf(get('/api/v1/operations')))}</pre>
    ${first ? html`<p>Its first call${run}:</p><pre tabindex="0">${withoutHidden(curlOf({ ...first, ...(isJob && { headers: { [RUN_HEADER]: 'run-1' } }) }))}</pre>` : nothing}
    ${isJob ? html`<p>Each call names its run in <code>${RUN_HEADER}</code>: one name for all calls of a run, another for the next run.</p>` : nothing}`;
}

/** How a job without a secret gets an access token. @param {string} id of its grant */
const keyless = (id) =>
  html`<p>It has no secret. The job shows its own token, whose audience is <code>${location.origin}/oauth/token</code>, and gets one for ten minutes. ${guide('jobs', 'How, at Kubernetes, GitHub and GitLab')}</p>
    <pre tabindex="0">curl "${location.origin}/oauth/token" -d grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer -d grant_id=${id} --data-urlencode "assertion=$WORKLOAD_TOKEN"</pre>`;

/** A call that succeeds: the first operation that reads, with real ids in the place of those of its example. @param {readonly OperationDescriptor[]} operations @param {string | undefined} collection that the grant reaches */
async function firstCall(operations, collection) {
  const reads = operations.filter((each) => !canBeHeld(each));
  const chosen = reads.find(({ id }) => !/get_|audit/.test(id)) ?? reads[0] ?? operations[0];
  if (chosen === undefined) return undefined;
  const input = exampleOf(/** @type {any} */ (chosen.inputSchema));
  const firstOf = async (/** @type {string} */ id, /** @type {object} */ asked) =>
    Object.values(await execute(id, { ...asked, limit: 1 })).find(Array.isArray)?.[0]?.id;
  if ('collection_id' in input)
    input.collection_id =
      collection ?? (await firstOf('record_store.list_collections', {})) ?? input.collection_id;
  if ('record_id' in input)
    input.record_id =
      (await firstOf('record_store.list_records', { collection_id: input.collection_id })) ?? input.record_id;
  return operation(chosen.id, input);
}

/** The field of the end of a grant. @param {number} [days] until the end @param {Partial<Field>} [more] */
export const endField = (days = 30, more) =>
  field('expiresAt', 'Ends', {
    kind: 'time',
    value: new Date(Date.now() + days * DAY).toISOString(),
    isRequired: true,
    ...more,
  });

const isKeyless = (/** @type {Values} */ { proof }) => proof === 'trust';

/** What the calls of a job prove the grant by. @returns {Field[]} */
const proofFields = () => [
  select('proof', 'Its calls have', [
    ['secret', 'a secret, which is shown once'],
    ['trust', 'no secret: the token that its own platform gives it (Kubernetes, GitHub, GitLab)'],
  ]),
  field('issuer', 'Issuer of these tokens', {
    hint: 'one that the operator of this platform has named in WORKLOAD_ISSUERS',
    isRequired: true,
    isShown: isKeyless,
  }),
  field('subject', 'Subject', {
    hint: 'such as repo:acme/reports:ref:refs/heads/main: it must be equal, and no * stands for others',
    isRequired: true,
    isShown: isKeyless,
  }),
  field('claims', 'Further claims, one a line', {
    kind: 'area',
    hint: 'such as repository_id: 123456; at most 5',
    isShown: isKeyless,
  }),
];

/** The body of a grant with the workload that it trusts. @param {Values} values */
function withTrust({ proof, issuer, subject, claims, ...others }) {
  if (!isKeyless({ proof })) return others;
  return { ...others, trust: { issuer, subject, ...(claims && { claims: pairsOf(claims) }) } };
}

const isRoutine = (/** @type {Values} */ { kind = 'routine' }) => kind === 'routine';
const isOfOne = (/** @type {Values} */ values) => !isRoutine(values);

/** The fields of a grant of either kind. @param {OperationDescriptor[]} operations @returns {Field[]} */
function fieldsOf(operations) {
  const presets = Object.entries(PRESETS)
    .map(([label, allows]) => /** @type {const} */ ([label, operations.filter(allows).map(({ id }) => id)]))
    .filter(([, ids]) => ids.length > 0);
  const one = operations.map(({ id, title }) => /** @type {const} */ ([id, `${title} (${id})`]));
  return [
    field('name', 'Name', { longest: 100, isRequired: true, step: 'What it is for' }),
    select('kind', 'Kind', KINDS),
    operationsField(operations, { step: 'What it may do', presets, isShown: isRoutine }),
    { ...select('operationScope', 'Operation', one), step: 'What it may do', isShown: isOfOne },
    ...reachFields({ step: 'What it reaches' }, isRoutine),
    field('outputDefinition', 'What its e-mails are for, such as weekly-report', {
      isShown: (values) => isRoutine(values) && sendsMail(values),
      isRequired: true,
    }),
    field('invocations', 'Most runs', {
      kind: 'number',
      value: '1',
      isRequired: true,
      step: 'How often, and until when',
      isShown: isRoutine,
    }),
    { ...select('periodSeconds', 'in a', PERIODS, '86400'), isShown: isRoutine },
    endField(),
    ...proofFields(),
  ];
}

/** @param {Values} values */
function routineBody({ invocations, periodSeconds, ...others }) {
  return { ...withData(others), maximumCadence: { invocations, periodSeconds: Number(periodSeconds) } };
}

/** The body of a grant of one operation, whose form has no lists. @param {Values} values */
const operationBody = ({ operations, collectionIds, senderIds, fileScopes, ...others }) => others;

const sendsMail = (/** @type {Values} */ { operations = [] }) => operations.includes('mail.send_email');
const usesMail = (/** @type {{ operations?: string[] }} */ { operations = [] }) =>
  operations.some((id) => id.startsWith('mail.'));

/** The data that a grant reaches. @param {Partial<Field>} [more] of the first one @param {(values: Values) => boolean} [isShown] @returns {Field[]} */
export const reachFields = (more, isShown = () => true) => [
  choices('collectionIds', 'Collections that it reaches', directories.collection.choices, {
    ...more,
    isShown,
  }),
  ...(hasMail()
    ? [
        choices('senderIds', 'Mailboxes that it reaches', directories.sender.choices, {
          isShown: (values) => isShown(values) && usesMail(values),
        }),
      ]
    : []),
  choices('fileScopes', 'Files that it reaches', SCOPES, { isShown }),
];

/** The body of a grant with the data that it reaches. @param {Values} values */
export function withData({ collectionIds, senderIds = [], fileScopes, ...others }) {
  const lists = Object.entries({ collectionIds, senderIds, fileScopes }).filter(([, ids]) => ids?.length > 0);
  return { ...others, data: Object.fromEntries(lists) };
}
