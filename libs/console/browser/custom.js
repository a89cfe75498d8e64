import { html, nothing } from 'lit';
import { call, get, path } from './api.js';
import { actionDialog, check, field, optionsOf, select } from './form.js';
import { doneBy, factList, Page } from './page.js';
import { pagedTable, reload } from './table.js';
import { JsonText, keeping, shown, writtenJson } from './text.js';

/** @typedef {Omit<import('@action-platform/contracts').CustomOperation, 'inputSchema' | 'outputSchema'>} Listed */
/** @typedef {import('./form.js').Values} Values */

const ALL = '/api/v1/custom-operations';
const INPUT = '{"type":"object","properties":{},"additionalProperties":false}';

/** The endpoints of the company that are operations of the Workspace, for Owners. */
class CustomOperationsPage extends Page {
  /** Whether the Workspace has a rule of approvals, with which each change takes a fresh sign-in. @override */
  async load() {
    this.loaded = (await call(get('/api/v1/approval-rules'))).rules.length > 0;
  }

  /** @override */
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

  /** The form that registers an operation, or changes one. @param {any} [operation] */
  form(
    {
      id,
      title,
      description,
      effect,
      availability,
      destructive,
      inputSchema,
      outputSchema,
      url,
      timeoutMs,
      refusals,
      revision,
    } = /** @type {any} */ ({}),
  ) {
    const json = (/** @type {any} */ value) =>
      value === undefined ? '' : (value.text ?? JSON.stringify(value));
    /** @type {import('./form.js').FormOptions} */
    const form = {
      label: 'Save',
      fields: [
        field('id', 'Id', {
          hint: 'custom. and a name such as refund_order',
          isRequired: true,
          value: id ?? 'custom.',
        }),
        field('title', 'Title', { isRequired: true, longest: 100, value: title }),
        field('description', 'Description, for people and models', {
          kind: 'area',
          isRequired: true,
          value: description,
        }),
        select('effect', 'Effect', optionsOf(['read', 'write']), effect),
        select(
          'availability',
          'For',
          [
            ['workspace_member', 'Members'],
            ['owner_workspace', 'Owners'],
          ],
          availability,
        ),
        check('destructive', 'It cannot be undone', destructive),
        field('url', 'Endpoint', { hint: 'https', isRequired: true, value: url }),
        field('timeoutMs', 'Longest wait, in ms', { kind: 'number', value: String(timeoutMs ?? 5000) }),
        field('inputSchema', 'JSON Schema of the input', {
          kind: 'area',
          isRequired: true,
          value: json(inputSchema) || INPUT,
        }),
        field('outputSchema', 'JSON Schema of the output', { kind: 'area', value: json(outputSchema) }),
        field('refusals', 'Refusals, as a JSON list', { kind: 'area', value: json(refusals) }),
      ],
      request: ({ id = '', inputSchema, outputSchema, refusals, ...others }) => ({
        method: 'PUT',
        path: path`/api/v1/custom-operations/${id}`,
        body: {
          ...others,
          ...texts({ inputSchema, outputSchema, refusals }),
          expectedRevision: revision ?? 0,
        },
      }),
      isFresh: () => this.loaded,
      done: () => reload(this),
    };
    return form;
  }
}
customElements.define('custom-operations-page', CustomOperationsPage);

/** One of them, whole, once somebody asks. */
class CustomOperation extends Page {
  /** @type {CustomOperationsPage | undefined} */
  page = undefined;

  get path() {
    return path`/api/v1/custom-operations/${this.names[0] ?? ''}`;
  }

  async look() {
    this.loaded = (
      await call(get(this.path), { parse: keeping('inputSchema', 'outputSchema', 'refusals') })
    ).operation;
  }

  /** @override */
  content() {
    if (this.loaded === null || this.page === undefined)
      return html`<button type="button" @click=${() => this.attempt(() => this.look())}>Open …</button>`;
    const { id, description, status, effect, inputSchema } = this.loaded;
    const done = () => {
      this.loaded = null;
      reload(/** @type {Page} */ (this.page));
    };
    const removal = {
      label: 'Remove the operation',
      request: () => ({ method: 'DELETE', path: this.path }),
      isFresh: () => this.page?.loaded,
      done,
    };
    return html`${factList([
      ['Description', shown(description)],
      ['Input', html`<pre>${writtenJson(inputSchema.text)}</pre>`],
    ])}
      ${actionDialog(status === 'removed' ? 'Register again' : 'Change', { ...this.page.form(this.loaded), done })}
      ${status === 'removed' ? nothing : html`<a href="/console/playground?operation=${id}">Try it</a> ${actionDialog('Remove', removal, html`<p>The next call of it fails. Its id stays a ${effect} for good.</p>`)}`}`;
  }
}
customElements.define('custom-operation', CustomOperation);

/** Texts of JSON as they were entered. @param {Values} entered */
const texts = (entered) =>
  Object.fromEntries(Object.entries(entered).map(([name, text]) => [name, text && new JsonText(text)]));
