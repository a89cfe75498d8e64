import { html, nothing } from 'lit';
import { call, get, write } from './api.js';
import { grantChoices, operationChoices } from './choices.js';
import { actionDialog } from './dialog.js';
import { ruleOf } from './edits.js';
import { check, choices, select } from './fields.js';
import { nameOf } from './names.js';
import { Part } from './page.js';
import { tableOf } from './table.js';
import { asCurl, emptyState, listOf } from './view.js';

/** @typedef {import('@action-platform/contracts').ApprovalRule} ApprovalRule */
/** @typedef {import('@action-platform/contracts').OperationDescriptor} OperationDescriptor */
/** @typedef {import('./edits.js').Values} Values */

const PATH = '/api/v1/approval-rules';
const CALLERS = { everyone: 'everyone', grants: 'grants alone' };
/** The operations whose effect cannot be undone, of those that the platform declares. */
const GRAVE = ['record_store.delete_record'];

/** The rules of the Workspace, for Owners. */
class ApprovalRules extends Part {
  async load() {
    const [saved, { operations }] = await Promise.all([call(get(PATH)), call(get('/api/v1/operations'))]);
    this.loaded = { ...saved, operations: operations.filter(canBeHeld) };
  }

  content() {
    /** @type {{ revision: number, rules: ApprovalRule[] }} */
    const { revision, rules } = this.loaded;
    const add = (/** @type {string} */ label, /** @type {ApprovalRule} */ preset, tone = 'small') =>
      this.dialog(
        label,
        'Calls that it matches wait from now on.',
        this.fields(preset),
        (values) => [...rules, ruleOf(values, {})],
        { tone },
      );
    const presets = html`<span class="pages">${add('Hold what cannot be undone', { operations: GRAVE })}
      ${add('Hold every e-mail of agents', { operations: ['mail.send_email'], callers: 'grants' })}
      ${add('Add a rule', {}, 'small primary')}</span>`;
    return html`<section class="card"><header><h2>Rules</h2><span class="hint">A call that writes waits for an Owner when any of these matches it. Revision ${revision}.</span></header>
      <div class="body">${presets}</div>
      ${rules.length === 0 ? emptyState('shield-check', 'There is no rule yet', 'No call waits. Begin with a preset: it opens filled in, and you can change it.') : tableOf('Rules', this.columns(rules), rules)}
      <div class="foot">${asCurl(get(PATH))}</div></section>`;
  }

  /** @param {ApprovalRule[]} rules @returns {import('./table.js').Column[]} */
  columns(rules) {
    /** @param {ApprovalRule} rule */
    const changes = (rule) => {
      const index = rules.indexOf(rule);
      return html`<span class="pages">${this.dialog(`Change rule ${index + 1}`, 'The next calls follow it as it is then.', this.fields(rule), (values) => rules.with(index, ruleOf(values, rule)), { isEdit: true })}
        ${this.dialog(`Remove rule ${index + 1}`, 'Calls that no other rule matches wait no more.', [], () => rules.toSpliced(index, 1), { tone: 'small danger' })}</span>`;
    };
    return [
      [
        'Operations',
        ({ operations }) =>
          listOf(
            operations ?? [],
            (id) => html`${nameOf('operation', id)} <small>${id}</small>`,
            'each that writes',
          ),
      ],
      [
        'Calls of',
        ({ callers, grantIds = [] }) =>
          callers === 'grants' ? listOf(grantIds, (id) => nameOf('grant', id), 'every grant') : 'everyone',
      ],
      [
        'Approver',
        (rule) =>
          html`${rule.preventSelfApproval ? 'another Owner' : 'any Owner'}${'when' in rule || 'approvers' in rule ? html`<small>with conditions that this page leaves as they are</small>` : nothing}`,
      ],
      ['', changes, 'end-cell'],
    ];
  }

  /** @param {string} label @param {string} text @param {import('./edits.js').Field[]} fields @param {(values: Values) => ApprovalRule[]} change @param {{ isEdit?: boolean, tone?: string }} more */
  dialog(label, text, fields, change, { isEdit = false, tone = 'small' }) {
    const { revision } = this.loaded;
    const button = label.startsWith('Remove')
      ? label
      : label.startsWith('Change')
        ? label.replace('Change', 'Save')
        : 'Add the rule';
    return actionDialog(
      label,
      {
        text,
        label: button,
        fields,
        isEdit,
        request: (values) => write('PUT', PATH, { revision, rules: change(values) }),
        isFresh: () => true,
        done: (saved) => {
          this.loaded = { ...this.loaded, ...saved };
        },
      },
      { tone },
    );
  }

  /** @param {ApprovalRule} rule @returns {import('./edits.js').Field[]} */
  fields({ operations, callers = 'everyone', grantIds, preventSelfApproval }) {
    return [
      choices('operations', 'Operations', operationChoices(this.loaded.operations), {
        all: 'Each that writes, also those to come',
        value: operations,
      }),
      select('callers', 'Calls of', Object.entries(CALLERS), callers),
      choices('grantIds', 'Grants', grantChoices, {
        all: 'Every grant, also those to come',
        value: grantIds,
        isShown: ({ callers: chosen = callers }) => chosen === 'grants',
      }),
      check('preventSelfApproval', 'Another Owner must approve', preventSelfApproval),
    ];
  }
}
customElements.define('approval-rules', ApprovalRules);

/** Whether a rule can hold an operation: its callers may meet that refusal. @param {OperationDescriptor} operation */
const canBeHeld = ({ errors }) => errors.some(({ code }) => code === 'operation_approval_required');
