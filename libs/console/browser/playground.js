import { html, nothing } from 'lit';
import { call, get, operation, RUN_HEADER } from './api.js';
import { field, optionsOf } from './fields.js';
import { actionForm } from './form.js';
import { ask, Page } from './page.js';
import { JsonText, writtenJson } from './text.js';

/** @typedef {import('@action-platform/contracts').OperationDescriptor} OperationDescriptor */
/** @typedef {import('./fields.js').Field} Field */
/** @typedef {import('./fields.js').Values} Values */
/** @typedef {{ type?: string, enum?: unknown[], const?: unknown, examples?: unknown[], description?: string }} Schema */

/** The beginning of the secret of a routine grant, whose calls name their run. */
const ROUTINE = 'apr_';

const RUN_FIELD = field(RUN_HEADER, RUN_HEADER, { value: 'playground', isRequired: true });

/** The secret of a grant to call with, in memory alone. @type {string | undefined} */
let secret;
addEventListener('signed-out', () => {
  secret = undefined;
});

/** Every operation that the Member, or a grant, may call now, as a form. */
class PlaygroundPage extends Page {
  async load() {
    this.said = nothing;
    this.loaded = (await call(get('/api/v1/operations'), { token: secret })).operations;
  }

  content() {
    /** @type {OperationDescriptor[]} */
    const operations = this.loaded;
    const chosen = operations.find(({ id }) => id === this.query.get('operation')) ?? operations[0];
    return html`<form class="filters" @submit=${this.useGrant}>
        <label>Call with the secret of a grant, in place of your sign-in
          <input name="secret" type="password" autocomplete="off" spellcheck="false"></label>
        <button>${secret === undefined ? 'Use it' : 'Use another, or your sign-in when empty'}</button>
      </form>
      <label>Operation <select @change=${(/** @type {any} */ event) => ask({ operation: event.target.value })}>
        ${operations.map(({ id, title }) => html`<option value=${id} ?selected=${id === chosen?.id}>${title} (${id})</option>`)}
      </select></label>
      ${chosen === undefined ? html`<p>There is no operation to call.</p>` : this.trial(chosen)}`;
  }

  /** @param {SubmitEvent} event */
  useGrant(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    secret = String(new FormData(form).get('secret')).trim() || undefined;
    form.reset();
    this.attempt(() => this.load());
  }

  /** @param {OperationDescriptor} chosen */
  trial({ id, title, description, inputSchema }) {
    const { properties = {}, required = [] } =
      /** @type {{ properties?: Record<string, Schema>, required?: string[] }} */ (inputSchema);
    const isRoutine = secret?.startsWith(ROUTINE) === true;
    const fields = Object.entries(properties).map(([name, schema]) =>
      fieldFor(name, schema, required.includes(name)),
    );
    return html`<h2>${title}</h2><p>${description}</p>
      ${actionForm({
        label: 'Call it',
        fields: isRoutine ? [...fields, RUN_FIELD] : fields,
        request: ({ [RUN_HEADER]: run, ...values }) => ({
          ...operation(id, inputOf(properties, values)),
          ...(run && { headers: { [RUN_HEADER]: run } }),
        }),
        parse: (text) => text,
        isRepeatable: false,
        token: secret,
        done: (text) => this.show(html`<h2>Answer</h2><pre tabindex="0">${writtenJson(text)}</pre>`),
      })}`;
  }
}
customElements.define('playground-page', PlaygroundPage);

/** Whether a field takes text; all else is JSON. @param {Schema} [schema] */
const isText = ({ type, examples = [] } = {}) =>
  type === 'string' || (type === undefined && typeof examples[0] === 'string');

/** @param {string} name @param {Schema} schema @param {boolean} isRequired @returns {Field} */
function fieldFor(name, schema, isRequired) {
  const written = (/** @type {unknown} */ value) =>
    isText(schema) ? String(value ?? '') : JSON.stringify(value);
  const options = schema.enum ?? (schema.type === 'boolean' ? [true, false] : undefined);
  const kind = options ? 'select' : isText(schema) && !/body|markdown/.test(name) ? 'text' : 'area';
  return field(name, isRequired ? `${name} (required)` : name, {
    kind,
    isRequired,
    hint: schema.description,
    value: isRequired ? written(schema.examples?.[0]) : undefined,
    options: optionsOf((options ?? []).map(written), isRequired ? undefined : '–'),
    longest: 200_000,
  });
}

/** The input of a call; what is no text is sent as it was written. @param {Record<string, Schema>} properties @param {Values} values */
function inputOf(properties, values) {
  const sent = (/** @type {string} */ name) =>
    isText(properties[name]) ? values[name] : new JsonText(values[name]);
  return Object.fromEntries(Object.keys(values).map((name) => [name, sent(name)]));
}
