import { html, nothing } from 'lit';
import { call, get, path, write } from './api.js';
import { actionDialog } from './dialog.js';
import { definitionWith, JSON_FIELDS } from './edits.js';
import { check, field, select } from './fields.js';
import { nameOf } from './names.js';
import { Page } from './page.js';
import { pagedTable } from './table.js';
import { keeping, shown } from './text.js';
import { badge, emptyState, guide, stateBadge, timeOf } from './view.js';

/** @typedef {import('./edits.js').Values} Values */

const ALL = '/api/v1/custom-operations';
const INPUT = '{"type":"object","properties":{},"additionalProperties":false}';
const FIXED = 'fixed for good';
const NEW_ID = field('id', 'Id', {
  hint: `custom. and a name such as refund_order; ${FIXED}`,
  isRequired: true,
  value: 'custom.',
  step: '1. What it is',
});

/** The endpoints of the company that are operations of the Workspace, for Owners. */
class CustomOperationsPage extends Page {
  /** Whether the Workspace has a rule of approvals, with which each change takes a fresh sign-in. */
  async load() {
    this.loaded = (await call(get('/api/v1/approval-rules'))).rules.length > 0;
  }

  head() {
    return {
      title: this.entry,
      about:
        'Endpoints of your company that agents call like any other operation: with grants, approvals and a log.',
      actions: actionDialog('Register an operation', this.form(), { icon: 'plus', tone: 'primary' }),
    };
  }

  content() {
    return pagedTable({
      caption: 'Custom operations, by id',
      request: get(ALL),
      rows: 'operations',
      isWhole: true,
      words: ({ id, title, url }) => `${id} ${title} ${url}`,
      columns: [
        [
          'Operation',
          ({ id, title }) => html`<strong>${shown(title)}</strong><small><code>${id}</code></small>`,
        ],
        ['State', ({ status, revision }) => html`${stateBadge(status)}<small>revision ${revision}</small>`],
        [
          'Effect',
          ({ effect, destructive }) =>
            html`${effect === 'read' ? 'reads' : 'writes'} ${destructive ? badge('cannot be undone', 'bad') : nothing}`,
        ],
        ['For', ({ availability }) => (availability === 'owner_workspace' ? 'Owners' : 'Members')],
        ['Endpoint', ({ url }) => html`<code>${shown(url)}</code>`],
        [
          'Changed',
          ({ updatedAt, updatedBy }) =>
            html`${timeOf(updatedAt)}<small>by ${nameOf('member', updatedBy)}</small>`,
        ],
        ['', (row) => this.changes(row), 'end-cell'],
      ],
      empty: emptyState(
        'plug',
        'No endpoint is registered yet',
        'For example: a refund in your shop becomes custom.refund_order, which an agent may ask for and a person approves.',
        guide('custom-operations', 'How an endpoint looks'),
      ),
    });
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
      look: 'danger',
      request: () => write('DELETE', address),
      isFresh: () => this.loaded,
    };
    return html`<span class="pages"><a class="button small quiet" href="/console/playground?operation=${id}">Try it</a> ${actionDialog('Change', whole)}
      ${actionDialog('Remove', removal, { tone: 'small danger' })}</span>`;
  }

  /** The form that registers an operation, or changes one: what is fixed for good is no field of a change. @param {any} [known] @returns {import('./dialog.js').DialogOptions} */
  form(known = {}) {
    const isNew = known.id === undefined;
    /** @param {string} name @param {string} label @param {Partial<import('./edits.js').Field>} [more] */
    const text = (name, label, more) => field(name, label, { value: known[name], isRequired: true, ...more });
    /** @param {string} name @param {string} label @param {Partial<import('./edits.js').Field>} [more] */
    const json = (name, label, more) =>
      field(name, label, { kind: 'area', value: known[name]?.text, longest: 65_536, ...more });
    const effects = [
      select('effect', `Effect, ${FIXED}`, Object.entries({ read: 'reads', write: 'writes' })),
      select(
        'availability',
        `For whom, ${FIXED}`,
        Object.entries({ workspace_member: 'Members', owner_workspace: 'Owners' }),
      ),
      check('destructive', `It cannot be undone (${FIXED})`),
    ];
    return {
      text: isNew
        ? 'Members and grants can call it at once, as what you save says.'
        : html`The next call of <code>${known.id}</code> follows what you save. Its id, its effect, for whom it is and whether it can be undone are ${FIXED}.`,
      label: 'Save the operation',
      fields: [
        ...(isNew ? [NEW_ID] : []),
        text('title', 'Title', { longest: 100 }),
        text('description', 'Description, for people and models', { longest: 1000 }),
        ...(isNew ? effects : []),
        text('url', 'Endpoint', {
          hint: 'https, at a public address',
          step: isNew ? '2. Where calls go' : undefined,
        }),
        field('timeoutMs', 'Longest wait, in ms', {
          kind: 'number',
          value: String(known.timeoutMs ?? 5000),
          isRequired: true,
        }),
        json('inputSchema', 'JSON Schema of the input', {
          value: known.inputSchema?.text ?? INPUT,
          isRequired: true,
          step: isNew ? '3. What it takes and answers' : undefined,
        }),
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
