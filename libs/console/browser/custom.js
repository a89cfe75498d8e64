import { html } from 'lit';
import { call, get, path, write } from './api.js';
import { check, field, optionsOf, select, withoutNull } from './fields.js';
import { actionDialog } from './form.js';
import { doneBy, Page } from './page.js';
import { pagedTable } from './table.js';
import { JsonText, keeping, shown } from './text.js';

/** @typedef {import('./fields.js').Values} Values */

const ALL = '/api/v1/custom-operations';
const AVAILABILITY = optionsOf(['workspace_member', 'owner_workspace']);
const NEW_ID = field('id', 'Id', {
  hint: 'custom. and a name such as refund_order',
  isRequired: true,
  value: 'custom.',
});
/** The fields whose text is JSON. */
const JSON_FIELDS = ['inputSchema', 'outputSchema', 'refusals'];
const INPUT = '{"type":"object","properties":{},"additionalProperties":false}';

/** The endpoints of the company that are operations of the Workspace, for Owners. */
class CustomOperationsPage extends Page {
  /** Whether the Workspace has a rule of approvals, with which each change takes a fresh sign-in. */
  async load() {
    this.loaded = (await call(get('/api/v1/approval-rules'))).rules.length > 0;
  }

  content() {
    return html`${actionDialog('Register an operation', this.form())}
      ${pagedTable({
        caption: 'Custom operations, by id',
        request: get(ALL),
        rows: 'operations',
        columns: [
          ['Id', ({ id, title }) => html`<code>${id}</code><br>${shown(title)}`],
          ['State', ({ status, revision }) => `${status}, revision ${revision}`],
          ['Effect', ({ effect, destructive }) => `${effect}${destructive ? ', cannot be undone' : ''}`],
          ['For', ({ availability }) => (availability === 'owner_workspace' ? 'Owners' : 'Members')],
          ['Endpoint', ({ url }) => shown(url)],
          ['Changed', ({ updatedAt, updatedBy }) => doneBy(updatedAt, updatedBy)],
          ['Change', (row) => this.changes(row)],
        ],
        empty: 'No endpoint is registered yet.',
      })}`;
  }

  /** @param {{ id: string, status: string, effect: string }} row */
  changes({ id, status, effect }) {
    const address = ALL + path`/${id}`;
    const whole = async () =>
      this.form((await call(get(address), { parse: keeping(...JSON_FIELDS) })).operation);
    if (status === 'removed') return actionDialog('Register again', whole);
    const removal = {
      text: `The next call of it fails. Its id stays a ${effect} for good.`,
      label: 'Remove the operation',
      request: () => write('DELETE', address),
      isFresh: () => this.loaded,
    };
    return html`<a href="/console/playground?operation=${id}">Try it</a> ${actionDialog('Change', whole)}
      ${actionDialog('Remove', removal)}`;
  }

  /** The form that registers an operation, or changes one. @param {any} [known] @returns {import('./form.js').DialogOptions} */
  form(known = {}) {
    /** @param {string} name @param {string} label @param {Partial<import('./fields.js').Field>} [more] */
    const text = (name, label, more) => field(name, label, { value: known[name], isRequired: true, ...more });
    /** @param {string} name @param {string} label @param {string} [value] */
    const json = (name, label, value) =>
      field(name, label, { kind: 'area', value: known[name]?.text ?? value });
    return {
      text: 'Members and grants can call it at once, as what you save says.',
      label: 'Save the operation',
      fields: [
        ...(known.id ? [] : [NEW_ID]),
        text('title', 'Title', { longest: 100 }),
        text('description', 'Description, for people and models', { kind: 'area' }),
        select('effect', 'Effect', optionsOf(['read', 'write']), known.effect),
        select('availability', 'For', AVAILABILITY, known.availability),
        check('destructive', 'It cannot be undone', known.destructive),
        text('url', 'Endpoint', { hint: 'https' }),
        field('timeoutMs', 'Longest wait, in ms', { kind: 'number', value: String(known.timeoutMs ?? 5000) }),
        json('inputSchema', 'JSON Schema of the input', INPUT),
        json('outputSchema', 'JSON Schema of the output'),
        json('refusals', 'Refusals, as a JSON list'),
      ],
      isEdit: known.status === 'active',
      request: ({ id = known.id ?? '', ...changes }) =>
        write('PUT', ALL + path`/${id}`, definitionWith(changes, known)),
      isFresh: () => this.loaded,
    };
  }
}
customElements.define('custom-operations-page', CustomOperationsPage);

/** A definition with these changes, as the API takes it: whole, so all that the form does not show stays as it is. @param {Values} changes @param {any} known */
export function definitionWith(
  changes,
  { id, definitionId, status, revision = 0, createdAt, createdBy, updatedAt, updatedBy, ...known },
) {
  const entered = Object.entries(changes).map(([name, value]) => [
    name,
    JSON_FIELDS.includes(name) && value ? new JsonText(value) : value,
  ]);
  return withoutNull({ ...known, ...Object.fromEntries(entered), expectedRevision: revision });
}
