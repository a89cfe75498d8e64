import { html, nothing } from 'lit';
import { call, get, path, write } from './api.js';
import { actionDialog, check, field, optionsOf, select } from './form.js';
import { doneBy, factList, Page } from './page.js';
import { pagedTable, reload } from './table.js';
import { JsonText, keeping, shown, writtenJson } from './text.js';

/** @typedef {import('./form.js').Values} Values */

const ALL = '/api/v1/custom-operations';
const AVAILABILITY = optionsOf(['workspace_member', 'owner_workspace']);
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
          ['Change', ({ id }) => html`<custom-operation .names=${[id]} .page=${this}></custom-operation>`],
        ],
        empty: 'No endpoint is registered yet.',
      })}`;
  }

  /** The form that registers an operation, or changes one. @param {any} [known] @returns {import('./form.js').DialogOptions} */
  form({ revision: expectedRevision = 0, ...known } = {}) {
    /** @param {string} name @param {string} label @param {Partial<import('./form.js').Field>} [more] */
    const text = (name, label, more) => field(name, label, { value: known[name], isRequired: true, ...more });
    /** @param {string} name @param {string} label @param {string} [value] */
    const json = (name, label, value) =>
      field(name, label, { kind: 'area', value: known[name]?.text ?? value });
    return {
      text: 'Members and grants can call it at once, as what you save says.',
      label: 'Save the operation',
      fields: [
        field('id', 'Id', {
          hint: 'custom. and a name such as refund_order',
          isRequired: true,
          value: known.id ?? 'custom.',
        }),
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
      request: ({ id = '', inputSchema, outputSchema, refusals, ...others }) => {
        const schemas = texts({ inputSchema, outputSchema, refusals });
        return write('PUT', ALL + path`/${id}`, { ...others, ...schemas, expectedRevision });
      },
      isFresh: () => this.loaded,
    };
  }
}
customElements.define('custom-operations-page', CustomOperationsPage);

/** One of them, whole, once somebody asks. */
class CustomOperation extends Page {
  /** @type {CustomOperationsPage | undefined} */
  page = undefined;

  get path() {
    return ALL + path`/${this.names[0] ?? ''}`;
  }

  async look() {
    const parse = keeping('inputSchema', 'outputSchema', 'refusals');
    this.loaded = (await call(get(this.path), { parse })).operation;
  }

  content() {
    if (this.loaded === null || this.page === undefined)
      return html`<button type="button" @click=${() => this.attempt(() => this.look())}>Open …</button>`;
    const { id, description, status, effect, inputSchema } = this.loaded;
    const done = () => {
      this.loaded = null;
      reload();
    };
    const removal = {
      text: `The next call of it fails. Its id stays a ${effect} for good.`,
      label: 'Remove the operation',
      request: () => write('DELETE', this.path),
      isFresh: () => this.page?.loaded,
      done,
    };
    return html`${factList([
      ['Description', shown(description)],
      ['Input', html`<pre>${writtenJson(inputSchema.text)}</pre>`],
    ])}
      ${actionDialog(status === 'removed' ? 'Register again' : 'Change', { ...this.page.form(this.loaded), done })}
      ${status === 'removed' ? nothing : html`<a href="/console/playground?operation=${id}">Try it</a> ${actionDialog('Remove', removal)}`}`;
  }
}
customElements.define('custom-operation', CustomOperation);

/** Texts of JSON as they were entered. @param {Values} entered */
const texts = (entered) =>
  Object.fromEntries(Object.entries(entered).map(([name, text]) => [name, text && new JsonText(text)]));
