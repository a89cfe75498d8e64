import { html } from 'lit';
import { call, get, write } from './api.js';
import { grantChoices, operationChoices } from './choices.js';
import { check, choices, select, withoutNull } from './fields.js';
import { actionDialog } from './form.js';
import { listOf, Page } from './page.js';
import { tableOf } from './table.js';
import { shown } from './text.js';

/** @typedef {import('@action-platform/contracts').ApprovalRule} ApprovalRule */
/** @typedef {import('@action-platform/contracts').OperationDescriptor} OperationDescriptor */
/** @typedef {import('./fields.js').Values} Values */

const PATH = '/api/v1/approval-rules';
const CALLERS = { everyone: 'everyone', grants: 'grants alone' };

/** The rules of the Workspace, for Owners. */
class ApprovalRules extends Page {
  async load() {
    const [saved, { operations }, grants] = await Promise.all([
      call(get(PATH)),
      call(get('/api/v1/operations')),
      grantChoices(),
    ]);
    this.loaded = { ...saved, operations: operations.filter(canBeHeld), grants };
  }

  content() {
    /** @type {{ revision: number, rules: ApprovalRule[] }} */
    const { revision, rules } = this.loaded;
    const last = rules.length;
    return html`<h2>Rules</h2>
      <p>A call that writes waits for an Owner when any of these rules matches it. Revision ${revision}.</p>
      ${this.dialog('Add a rule', 'Calls that it matches wait from now on.', this.fields({}), (values) => rules.toSpliced(last, 0, ruleOf(values, {})))}
      ${last === 0 ? html`<p>There is no rule yet: no call waits.</p>` : tableOf('Rules', this.columns(rules), rules)}`;
  }

  /** @param {ApprovalRule[]} rules @returns {import('./table.js').Column[]} */
  columns(rules) {
    /** @param {ApprovalRule} rule */
    const changes = (rule) => {
      const index = rules.indexOf(rule);
      return html`${this.dialog(`Change rule ${index + 1}`, 'The next calls follow it as it is then.', this.fields(rule), (values) => rules.with(index, ruleOf(values, rule)), true)}
        ${this.dialog(`Remove rule ${index + 1}`, 'Calls that no other rule matches wait no more.', [], () => rules.toSpliced(index, 1))}`;
    };
    const named = (/** @type {string[]} */ ids) => listOf(ids, (id) => this.nameOf(id), 'every grant');
    return [
      ['Operations', ({ operations }) => listOf(operations ?? [], shown, 'each that writes')],
      ['Calls of', ({ callers, grantIds = [] }) => (callers === 'grants' ? named(grantIds) : 'everyone')],
      ['Approver', ({ preventSelfApproval: isOther }) => (isOther ? 'another Owner' : 'any Owner')],
      ['Change', changes],
    ];
  }

  /** @param {string} label @param {string} text @param {import('./fields.js').Field[]} fields @param {(values: Values) => ApprovalRule[]} change @param {boolean} [isEdit] */
  dialog(label, text, fields, change, isEdit = false) {
    const { revision } = this.loaded;
    return actionDialog(label, {
      text,
      label: label.replace('Change', 'Save').replace('Add a', 'Add the'),
      fields,
      isEdit,
      request: (values) => write('PUT', PATH, { revision, rules: change(values) }),
      isFresh: () => true,
      done: (saved) => {
        this.loaded = { ...this.loaded, ...saved };
      },
    });
  }

  /** @param {ApprovalRule} rule @returns {import('./fields.js').Field[]} */
  fields({ operations, callers = 'everyone', grantIds, preventSelfApproval }) {
    const { operations: all, grants } = this.loaded;
    return [
      choices('operations', 'Operations', operationChoices(all), {
        all: 'Each that writes, also those to come',
        value: operations,
      }),
      select('callers', 'Calls of', Object.entries(CALLERS), callers),
      choices('grantIds', 'Grants', grants, {
        all: 'Every grant, also those to come',
        value: grantIds,
        isShown: ({ callers: chosen = callers }) => chosen === 'grants',
      }),
      check('preventSelfApproval', 'Another Owner must approve', preventSelfApproval),
    ];
  }

  /** The name of a grant among people. @param {string} id */
  nameOf(id) {
    const [, name = id, of = ''] =
      this.loaded.grants.find((/** @type {string[]} */ [each]) => each === id) ?? [];
    return html`${shown(name)} ${shown(of)}`;
  }
}
customElements.define('approval-rules', ApprovalRules);

/** Whether a rule can hold an operation: its callers may meet that refusal. @param {OperationDescriptor} operation */
const canBeHeld = ({ errors }) => errors.some(({ code }) => code === 'operation_approval_required');

/** A rule with these changes; all that the form does not show stays as it is. @param {Values} changes @param {ApprovalRule} rule @returns {ApprovalRule} */
function ruleOf(changes, rule) {
  const changed = { ...rule, ...changes };
  const { grantIds, ...others } = changed;
  return withoutNull(changed.callers === 'grants' ? changed : others);
}
