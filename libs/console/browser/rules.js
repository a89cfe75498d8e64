import { html } from 'lit';
import { call, get, newestGrants, write } from './api.js';
import { actionDialog, check, choices } from './form.js';
import { listOf, Page } from './page.js';
import { tableOf } from './table.js';
import { shown } from './text.js';

/** @typedef {import('@action-platform/contracts').ApprovalRule} ApprovalRule */
/** @typedef {import('@action-platform/contracts').OperationDescriptor} OperationDescriptor */
/** @typedef {import('./form.js').Values} Values */

const PATH = '/api/v1/approval-rules';

/** The rules of the Workspace, for Owners. */
class ApprovalRules extends Page {
  async load() {
    const [saved, { operations }, grants] = await Promise.all([
      call(get(PATH)),
      call(get('/api/v1/operations')),
      newestGrants('active'),
    ]);
    this.loaded = { ...saved, operations: operations.filter(canBeHeld), grants };
  }

  content() {
    /** @type {{ revision: number, rules: ApprovalRule[] }} */
    const { revision, rules } = this.loaded;
    const last = rules.length;
    return html`<h2>Rules</h2>
      <p>A call that writes waits for an Owner when any of these rules matches it. Revision ${revision}.</p>
      ${this.dialog('Add a rule', 'Calls that it matches wait from now on.', this.fields({}), (values) => rules.toSpliced(last, 0, ruleOf(values)))}
      ${last === 0 ? html`<p>There is no rule yet: no call waits.</p>` : tableOf('Rules', this.columns(rules), rules)}`;
  }

  /** @param {ApprovalRule[]} rules @returns {import('./table.js').Column[]} */
  columns(rules) {
    /** @param {ApprovalRule} rule */
    const changes = (rule) => {
      const index = rules.indexOf(rule);
      return html`${this.dialog(`Change rule ${index + 1}`, 'The next calls follow it as it is then.', this.fields(rule), (values) => rules.with(index, ruleOf(values)))}
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

  /** @param {string} label @param {string} text @param {import('./form.js').Field[]} fields @param {(values: Values) => ApprovalRule[]} change */
  dialog(label, text, fields, change) {
    const { revision } = this.loaded;
    return actionDialog(label, {
      text,
      label: label.replace('Change', 'Save').replace('Add a', 'Add the'),
      fields,
      request: (values) => write('PUT', PATH, { revision, rules: change(values) }),
      isFresh: () => true,
      done: (saved) => {
        this.loaded = { ...this.loaded, ...saved };
      },
    });
  }

  /** @param {ApprovalRule} rule @returns {import('./form.js').Field[]} */
  fields({ operations = [], callers, grantIds = [], preventSelfApproval }) {
    const { operations: all, grants } = this.loaded;
    const hint = 'all when none is chosen';
    /** @param {string} id @returns {readonly [string, unknown]} */
    const grantOption = (id) => [id, this.nameOf(id)];
    // An id that a rule names stays to be chosen, also when it is no longer in the lists.
    const both = (/** @type {{ id: string }[]} */ rows, /** @type {string[]} */ named) => [
      ...new Set([...rows.map(({ id }) => id), ...named]),
    ];
    const isShown = (/** @type {Values} */ { isOfGrants = callers === 'grants' }) => isOfGrants;
    return [
      choices('operations', 'Only these operations', both(all, operations), (id) => [id, id], {
        hint,
        value: operations,
      }),
      check('isOfGrants', 'Only calls with a grant', callers === 'grants'),
      choices('grantIds', 'Only these grants', both(grants, grantIds), grantOption, {
        hint,
        value: grantIds,
        isShown,
      }),
      check('preventSelfApproval', 'Another Owner must approve', preventSelfApproval),
    ];
  }

  /** The name of a grant among people. @param {string} id */
  nameOf(id) {
    const grant = this.loaded.grants.find((/** @type {{ id: string }} */ each) => each.id === id);
    return grant?.name ? html`${shown(grant.name)}, of ${shown(grant.userId)}` : shown(id);
  }
}
customElements.define('approval-rules', ApprovalRules);

/** Whether a rule can hold an operation: its callers may meet that refusal. @param {OperationDescriptor} operation */
const canBeHeld = ({ errors }) => errors.some(({ code }) => code === 'operation_approval_required');

/** @param {Values} values @returns {ApprovalRule} */
const ruleOf = ({ operations = [], isOfGrants, grantIds = [], preventSelfApproval }) => ({
  ...(operations.length > 0 && { operations }),
  callers: isOfGrants ? 'grants' : 'everyone',
  ...(grantIds.length > 0 && { grantIds }),
  preventSelfApproval,
});
