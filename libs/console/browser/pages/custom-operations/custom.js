import { html, nothing } from 'lit';
import { buttonTo, guide, link } from '../../elements/links.js';
import { doneBy } from '../../elements/names.js';
import { Page } from '../../elements/page.js';
import { pagedTable, reload } from '../../elements/table.js';
import { badge, emptyState, stateBadge, titled } from '../../elements/view.js';
import { actionDialog } from '../../forms/dialog.js';
import { definitionWith, isSaved, JSON_FIELDS } from '../../forms/edits.js';
import { check, field, select } from '../../forms/fields.js';
import { APPROVAL_RULES, CUSTOM_OPERATIONS, call, get, path, write } from '../../platform/api.js';
import { goesTo } from '../../text/effect.js';
import { keeping, shown } from '../../text/text.js';

/** @typedef {Partial<import('../../forms/edits.js').Field>} More */

const INPUT = '{"type":"object","properties":{},"additionalProperties":false}';
const FIXED = 'fixed for good';
export const EFFECTS = { read: 'reads', write: 'writes' };
export const CALLERS = { workspace_member: 'Members', owner_workspace: 'Owners' };

/** The endpoints of the company that are operations of the Workspace, for Owners. */
export default class CustomPage extends Page {
  /** Whether the Workspace has a rule of approvals. With a rule each change takes a fresh sign-in. */
  async load() {
    this.loaded = (await call(get(APPROVAL_RULES))).rules.length > 0;
  }

  head() {
    return {
      about:
        'Endpoints of your company that agents call like any other operation: with grants, approvals and a log.',
      actions: actionDialog({ opens: 'Register an operation', tone: 'primary', ...this.form() }),
    };
  }

  content() {
    return pagedTable({
      caption: 'Custom operations, by id',
      request: get(CUSTOM_OPERATIONS),
      rows: 'operations',
      isWhole: true,
      words: ({ id, title, ...definition }) => [id, title, goesTo(definition)],
      sought: this.asked.q,
      columns: {
        Operation: ({ id, title }) => titled(shown(title), html`<code>${id}</code>`),
        State: ({ status, revision }) => html`${stateBadge(status)}<small>revision ${revision}</small>`,
        Effect: ({ effect, destructive }) =>
          html`${EFFECTS[/** @type {'read'} */ (effect)]} ${destructive ? badge('cannot be undone', 'bad') : nothing}`,
        For: ({ availability }) => CALLERS[/** @type {'owner_workspace'} */ (availability)],
        'Goes to': (definition) => html`<code>${shown(goesTo(definition))}</code>`,
        Changed: ({ updatedAt, updatedBy }) => doneBy(updatedAt, updatedBy),
        '': (row) => this.changes(row),
      },
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
    const address = CUSTOM_OPERATIONS + path`/${id}`;
    const fetch = async () => this.form(await definitionOf(id));
    if (status === 'removed') return actionDialog({ opens: 'Register again', fetch });
    const removal = actionDialog({
      opens: 'Remove',
      tone: 'danger',
      text: `The next call of it fails. Its id stays a ${effect} for good.`,
      label: 'Remove the operation',
      request: () => write('DELETE', address),
      isFresh: () => this.loaded,
    });
    return html`<span class="pages">${buttonTo(`playground?operation=${id}`, 'Try it', 'quiet')} ${actionDialog({ opens: 'Change', fetch })} ${removal}</span>`;
  }

  /** The form that registers an operation, or changes one: a value that never changes is no field of a change. @param {any} [known] @returns {import('../../forms/dialog.js').Content} */
  form(known = {}) {
    let present = known;
    const isNew = known.id === undefined;
    const making = html`Members and grants can call it at once, as what you save says. Operations of an API or an MCP server come from a ${link('connectors', 'connector')}.`;
    const changing = html`The next call of <code>${known.id}</code> follows what you save. Its id, its effect, for whom it is and whether it can be undone are ${FIXED}.`;
    return {
      text: isNew ? making : changing,
      label: 'Save the operation',
      fields: fieldsOf(known, isNew),
      isEdit: known.status === 'active',
      version: known.revision,
      request: ({ id = known.id ?? '', ...changes }) =>
        write('PUT', CUSTOM_OPERATIONS + path`/${id}`, definitionWith(changes, present)),
      isFresh: () => this.loaded,
      // The next try changes the definition as somebody else has left it meanwhile.
      refused: async (_failure, { body }) => {
        if (isNew) return false;
        present = await definitionOf(known.id).catch(() => present);
        const sent = { .../** @type {object} */ (body), expectedRevision: present.revision };
        // A change without an answer may be done: repeated, it would be another revision.
        const isDone = present.status === 'active' && isSaved(sent, definitionWith({}, present));
        if (isDone) reload();
        return isDone;
      },
    };
  }
}

/** A definition, with the JSON of its schemas as it is. @param {string} id */
const definitionOf = async (id) =>
  (await call(get(CUSTOM_OPERATIONS + path`/${id}`), { parse: keeping(...JSON_FIELDS) })).operation;

/** @param {any} known @param {boolean} isNew @returns {import('../../forms/edits.js').Field[]} */
function fieldsOf(known, isNew) {
  const required = { isRequired: true };
  const json = { kind: /** @type {const} */ ('area'), longest: 65_536 };
  /** Only a new operation takes steps. @param {string} step @returns {More} */
  const stepOf = (step) => (isNew ? { step } : {});
  const id = field('id', 'Id', {
    hint: `custom. and a name such as refund_order; ${FIXED}`,
    value: 'custom.',
    ...required,
    ...stepOf('1. What it is'),
  });
  const fixed = [
    select('effect', `Effect, ${FIXED}`, Object.entries(EFFECTS)),
    select('availability', `For whom, ${FIXED}`, Object.entries(CALLERS)),
    check('destructive', `It cannot be undone (${FIXED})`),
  ];
  const url = field('url', 'Endpoint', {
    hint: 'https, at a public address',
    ...required,
    ...stepOf('2. Where calls go'),
  });
  const knownOf = (/** @type {string} */ name) => known[name]?.text ?? known[name];
  const fields = [
    field('title', 'Title', { ...required, longest: 100 }),
    field('description', 'Description, for people and models', { ...required, longest: 1000 }),
    ...(isNew ? fixed : []),
    known.target ? field('target', 'Request of its connector, as JSON', { ...json, ...required }) : url,
    field('timeoutMs', 'Longest wait, in ms', { kind: 'number', value: '5000', ...required }),
    field('inputSchema', 'JSON Schema of the input', {
      value: INPUT,
      ...json,
      ...required,
      ...stepOf('3. What it takes and answers'),
    }),
    field('outputSchema', 'JSON Schema of the output', json),
    ...(known.target ? [] : [field('refusals', 'Refusals, as a JSON list', json)]),
  ];
  return [
    ...(isNew ? [id] : []),
    ...fields.map((each) => ({ ...each, value: knownOf(each.name) ?? each.value })),
  ];
}
