import { html } from 'lit';
import { directories, nameOf } from '../../elements/names.js';
import { tableOf } from '../../elements/rows.js';
import { asCurl, card, emptyState, listOf } from '../../elements/view.js';
import { inWords, pathsOf } from '../../forms/condition-values.js';
import { actionDialog } from '../../forms/dialog.js';
import { isSaved, ruleOf } from '../../forms/edits.js';
import { check, choices, field, select } from '../../forms/fields.js';
import { APPROVAL_RULES, get, write } from '../../platform/api.js';
import { keeping, shown, toJson } from '../../text/text.js';

/** @typedef {import('@action-platform/contracts/resources').ApprovalRule} ApprovalRule */
/** @typedef {import('@action-platform/contracts/operations').OperationDescriptor} OperationDescriptor */
/** The page of the rules, and what it loaded. @typedef {Pick<import('../../elements/page.js').Page, 'overtaken'> & { loaded: { revision: number, rules: ApprovalRule[], operations: OperationDescriptor[], calls: import('@action-platform/contracts/audit').AuditEntry[] | undefined } }} Holder */

/** Reads rules, whose values keep every digit. */
export const exactRules = keeping('value');
/** On how many calls a rule is tried before it is saved. */
export const LAST_CALLS = 100;
/** A rule about the push of a Record holds that of several. @type {Record<string, string>} */
const PUSHES = { 'record_store.push_record': 'record_store.push_records' };
const CALLERS = { everyone: 'everyone', grants: 'grants alone' };
/** The operations whose effect cannot be undone, of those that the platform declares. */
const GRAVE = ['record_store.delete_record'];

/** Whether a rule can hold an operation: its callers may meet that refusal. @param {OperationDescriptor} operation */
export const canBeHeld = ({ errors }) => errors.some(({ code }) => code === 'operation_approval_required');

/** A field of operations, in groups. @param {readonly OperationDescriptor[]} operations @param {Partial<import('../../forms/edits.js').Field>} more */
export function operationsField(operations, more) {
  const options = operations.map((each) => {
    const [prefix = ''] = each.id.split('.');
    const group = (prefix[0] ?? '').toUpperCase() + prefix.slice(1).replaceAll('_', ' ');
    const detail = `${canBeHeld(each) ? 'writes' : 'reads'} · ${each.id}`;
    return /** @type {const} */ ([each.id, each.title, detail, group]);
  });
  return choices('operations', 'Operations', options, more);
}

/** The rules of the Workspace, for Owners. @param {Holder} page */
export function rulesView(page) {
  const { revision, rules } = page.loaded;
  const none = emptyState(
    'shield-check',
    'There is no rule yet',
    'No call waits. Begin with a preset: it opens filled in, and you can change it.',
  );
  return card(
    'Rules',
    html`<div class="body"><span class="pages">${add(page, 'Hold what cannot be undone', { operations: GRAVE })}
      ${add(page, 'Hold every e-mail of agents', { operations: ['mail.send_email'], callers: 'grants' })}
      ${add(page, 'Add a rule', {}, 'primary')}</span></div>
      ${rules.length === 0 ? none : tableOf('Rules', columnsOf(page), rules)}
      <div class="foot">${asCurl(get(APPROVAL_RULES))}</div>`,
    {
      hint: `A call that writes waits for a decision when any of these matches it. Revision ${revision}.`,
      flush: true,
    },
  );
}

/** Whether the platform has the rules of a request. @param {any} sent @param {Holder} page */
const areSaved = (sent, page) => isSaved(sent, { rules: page.loaded.rules });

/** @param {Holder} page @param {string} opens @param {ApprovalRule} preset @param {'' | 'primary'} [tone] */
const add = (page, opens, preset, tone = '') =>
  ruleDialog(page, (values) => [...page.loaded.rules, ruleOf(values, {})], {
    opens,
    tone,
    text: 'Calls that it matches wait from now on.',
    label: 'Add the rule',
    fields: fieldsOf(page, preset),
    preview: (values) => wouldHold(page.loaded, ruleOf(values, {})),
    refused: (failure, { body }) => page.overtaken(failure, { isSaved: () => areSaved(body, page) }),
  });

/** @param {Holder} page @returns {import('../../elements/rows.js').Columns} */
const columnsOf = (page) => ({
  Operations: ({ operations }) =>
    listOf(
      operations ?? [],
      (id) => html`${nameOf('operation', id)} <small>${id}</small>`,
      'each that writes',
    ),
  'Calls of': ({ callers, grantIds = [] }) =>
    callers === 'grants' ? listOf(grantIds, (id) => nameOf('grant', id), 'every grant') : 'everyone',
  When: ({ when = [] }) => listOf(when, (condition) => shown(inWords(condition)), 'always'),
  Approver: ({ preventSelfApproval, approvers = [] }) =>
    html`${preventSelfApproval ? 'another Owner' : 'any Owner'}${approvers.map((/** @type {string} */ id) => html`, ${nameOf('member', id)}`)}`,
  '': (rule) => changesOf(page, rule),
});

/** @param {Holder} page @param {ApprovalRule} rule */
function changesOf(page, rule) {
  const { revision: version, rules } = page.loaded;
  const index = rules.indexOf(rule);
  /** Closes the dialog when the rules have another revision. @type {import('../../forms/form.js').FormOptions['refused']} */
  const refused = (failure, { body }) =>
    page.overtaken(failure, {
      versionOf: () => page.loaded.revision,
      isSaved: () => areSaved(body, page),
    });
  const change = ruleDialog(page, (values) => rules.with(index, ruleOf(values, rule)), {
    opens: `Change rule ${index + 1}`,
    text: 'The next calls follow it as it is then.',
    label: `Save rule ${index + 1}`,
    fields: fieldsOf(page, rule),
    preview: (values) => wouldHold(page.loaded, ruleOf(values, rule)),
    isEdit: true,
    version,
    refused,
  });
  const removal = ruleDialog(page, () => rules.toSpliced(index, 1), {
    opens: `Remove rule ${index + 1}`,
    tone: 'danger',
    text: 'Calls that no other rule matches wait no more.',
    label: `Remove rule ${index + 1}`,
    version,
    refused,
  });
  return html`<span class="pages">${change} ${removal}</span>`;
}

/** A dialog after which the rules are others. @param {Holder} page @param {(values: import('../../forms/edits.js').Values) => ApprovalRule[]} changed @param {Omit<import('../../forms/dialog.js').Opener & import('../../forms/dialog.js').Content, 'request'>} options */
const ruleDialog = (page, changed, options) =>
  actionDialog({
    ...options,
    parse: exactRules,
    request: (values) =>
      write('PUT', APPROVAL_RULES, { revision: page.loaded.revision, rules: changed(values) }),
    isFresh: () => true,
    done: (saved) => {
      page.loaded = { ...page.loaded, ...saved };
    },
  });

/** How many of the last calls a rule would have held. @param {Holder['loaded']} loaded @param {ApprovalRule} rule */
function wouldHold({ operations: writes, calls }, { operations, callers, grantIds = [], when }) {
  if (calls === undefined) return 'The audit log has not answered, so nothing is known of the last calls.';
  if (when)
    return 'The log keeps no bodies, so nothing is known of the calls that its conditions would have held.';
  const held = calls.filter(
    ({ operation, grant_id: grant }) =>
      (operations ?? writes.map(({ id }) => id)).some((id) => id === operation || PUSHES[id] === operation) &&
      (callers !== 'grants' || (grant && (grantIds.length === 0 || grantIds.includes(grant)))),
  );
  return `It would have held ${held.length} of the last ${calls.length} calls.`;
}

/** @param {Holder} page @param {ApprovalRule} rule */
const fieldsOf = (
  page,
  { operations, callers = 'everyone', grantIds, preventSelfApproval, when, approvers },
) => [
  operationsField(page.loaded.operations, { all: 'Each that writes, also those to come', value: operations }),
  select('callers', 'Calls of', Object.entries(CALLERS), callers),
  choices('grantIds', 'Grants', directories.grant.choices, {
    all: 'Every grant, also those to come',
    value: grantIds,
    isShown: ({ callers: chosen = callers }) => chosen === 'grants',
  }),
  field('when', 'Only when', {
    kind: 'conditions',
    value: when && toJson(when),
    hint: 'Each must hold. A field that is absent fits; * stands for each item of a list, and one is enough.',
    suggestions: page.loaded.operations.flatMap(({ inputSchema }) => pathsOf(inputSchema)),
    isShown: ({ operations: chosen = operations }) => chosen != null,
  }),
  choices('approvers', 'Approvers beside Owners', directories.member.choices, { value: approvers }),
  check('preventSelfApproval', 'Another Owner must approve', preventSelfApproval),
];
