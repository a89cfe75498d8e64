import { html, nothing } from 'lit';
import { call, curlOf, get, operation, RUN_HEADER, timed } from './api.js';
import { field, optionsOf } from './fields.js';
import { actionForm } from './form.js';
import { jsonView } from './json.js';
import { directories } from './names.js';
import { ask, Page, problem } from './page.js';
import { indentedJson, JsonText, toJson, withoutHidden } from './text.js';
import { badge, card, codeLink } from './view.js';

/** @typedef {import('@action-platform/contracts').OperationDescriptor} OperationDescriptor */
/** @typedef {import('./edits.js').Field} Field */
/** @typedef {import('./edits.js').Values} Values */
/** @typedef {{ type?: string, enum?: unknown[], const?: unknown, examples?: unknown[], description?: string }} Schema */

/** The beginning of the secret of a routine grant, whose calls name their run. */
const ROUTINE = 'apr_';
/** The most ids that a field offers. */
const MOST = 200;

const RUN_FIELD = field(RUN_HEADER, RUN_HEADER, { value: 'playground', isRequired: true });

/** The secret of a grant to call with, in memory alone. @type {string | undefined} */
let secret;
globalThis.addEventListener?.('signed-out', () => {
  secret = undefined;
});

/** Every operation that the Member, or a grant, may call now, as a form or as JSON. */
class PlaygroundPage extends Page {
  isJson = false;
  /** The answer to the last call. @type {unknown} */
  answer = undefined;

  async load() {
    this.answer = undefined;
    const [{ operations }, collections, senders] = await Promise.all([
      call(get('/api/v1/operations'), { token: secret }),
      directories.collection.all(),
      directories.sender.all(),
    ]);
    this.loaded = { operations, ids: { collection_id: collections, sender_id: senders } };
  }

  head() {
    return { title: this.entry, about: 'Call any operation that you may call. A write is real.' };
  }

  /** The operation of the address, or the first. @returns {OperationDescriptor | undefined} */
  get chosen() {
    const { operations } = this.loaded;
    return (
      operations.find((/** @type {OperationDescriptor} */ { id }) => id === this.query.get('operation')) ??
      operations[0]
    );
  }

  content() {
    /** @type {OperationDescriptor[]} */
    const operations = this.loaded.operations;
    const { chosen } = this;
    const groups = Map.groupBy(operations, ({ id }) => id.split('.')[0] ?? '');
    const option = (/** @type {OperationDescriptor} */ { id, title }) =>
      html`<option value=${id} ?selected=${id === chosen?.id}>${title} (${id})</option>`;
    return html`<section class="card"><div class="body"><div class="filters">
        <label>Operation <select @change=${(/** @type {any} */ event) => ask({ operation: event.target.value })}>
          ${[...groups].map(([group, each]) => html`<optgroup label=${group.replaceAll('_', ' ')}>${each.map(option)}</optgroup>`)}
        </select></label>
        <form class="filters" @submit=${this.useGrant}>
          <label>Call with the secret of a grant <input name="secret" type="password" autocomplete="off" spellcheck="false" placeholder=${secret === undefined ? 'your sign-in' : `…${secret.slice(-4)}`}></label>
          <button class="small">${secret === undefined ? 'Use it' : 'Use another, or your sign-in when empty'}</button>
        </form></div></div></section>
      ${
        chosen === undefined
          ? html`<p>There is no operation to call.</p>`
          : html`<div class="two">${this.trial(chosen)}
        ${card('Answer', this.answer ?? html`<p>The answer appears here, with its status and time.</p>`)}</div>`
      }`;
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
      fieldFor(name, schema, required.includes(name), this.loaded.ids[name]),
    );
    const example = Object.fromEntries(
      fields
        .filter(({ isRequired, value }) => isRequired && value !== undefined)
        .map(({ name, value }) => [name, sentOf(properties[name], value)]),
    );
    const whole = field('json', 'Input as JSON', {
      kind: 'area',
      isRequired: true,
      longest: 2_000_000,
      value: indentedJson(toJson(example)),
    });
    const own = this.isJson ? [whole] : fields;
    const way = (/** @type {boolean} */ isJson, /** @type {string} */ label) =>
      html`<button type="button" aria-pressed=${isJson === this.isJson} @click=${() => {
        this.isJson = isJson;
        this.requestUpdate();
      }}>${label}</button>`;
    return card(
      title,
      html`<p>${description}</p>
      ${actionForm({
        label: 'Call it',
        fields: isRoutine ? [...own, RUN_FIELD] : own,
        request: ({ [RUN_HEADER]: run, json, ...values }) => ({
          ...operation(id, this.isJson ? new JsonText(json ?? '{}') : inputOf(properties, values)),
          ...(run && { headers: { [RUN_HEADER]: run } }),
        }),
        send: (request) => this.send(request),
      })}`,
      {
        end: html`<span class="segments" role="group" aria-label="Input">${way(false, 'Form')}${way(true, 'JSON')}</span>`,
      },
    );
  }

  /** Sends a call, in place of the answer to the one before, and shows its answer, be it a refusal. @param {import('./api.js').Request} request */
  async send(request) {
    const tell = (/** @type {unknown} */ answer) => {
      this.answer = answer;
      this.requestUpdate();
    };
    tell(html`<p>Calling …</p>`);
    try {
      const { status, text, ms, isReplayed } = await timed(request, secret);
      const code = status < 300 ? nothing : codeOf(text);
      tell(html`<div class="pages" role="status">${badge(`${status}`, status < 300 ? 'good' : status < 500 ? 'warn' : 'bad')} <span class="num">${ms} ms</span> ${isReplayed ? badge('repeated: the outcome of an earlier call', 'info') : nothing} ${code}</div>
        ${jsonView(text)}
        <details class="curl"><summary>The same with curl</summary><pre tabindex="0">${withoutHidden(curlOf(request))}</pre></details>`);
    } catch (failure) {
      tell(problem(failure));
    }
  }
}
customElements.define('playground-page', PlaygroundPage);

/** The code of a refusal, as a link to what it means. @param {string} text */
function codeOf(text) {
  const { code } = JSON.parse(text).error;
  return codeLink(code);
}

/** Whether a field takes text; all else is JSON. @param {Schema} [schema] */
const isText = ({ type, examples = [] } = {}) =>
  type === 'string' || (type === undefined && typeof examples[0] === 'string');

/** @param {string} name @param {Schema} schema @param {boolean} isRequired @param {readonly import('./names.js').Entry[]} [known] the things whose ids the field takes @returns {Field} */
function fieldFor(name, schema, isRequired, known) {
  const written = (/** @type {unknown} */ value) =>
    isText(schema) ? String(value ?? '') : JSON.stringify(value);
  const options = schema.enum ?? (schema.type === 'boolean' ? [true, false] : undefined);
  const kind = options ? 'select' : isText(schema) && !/body|markdown/.test(name) ? 'text' : 'area';
  return field(name, isRequired ? `${name} (required)` : name, {
    kind,
    isRequired,
    hint: schema.description,
    value: isRequired ? (known?.[0]?.id ?? written(schema.examples?.[0])) : undefined,
    options: optionsOf((options ?? []).map(written), isRequired ? undefined : '–'),
    longest: 200_000,
    ...(known && {
      suggestions: known.slice(0, MOST).map(({ id, name: title }) => /** @type {const} */ ([id, title])),
    }),
  });
}

/** The input of a call; what is no text is sent as it was written. @param {Record<string, Schema>} properties @param {Values} values */
const inputOf = (properties, values) =>
  Object.fromEntries(
    Object.keys(values)
      .filter((name) => name in properties)
      .map((name) => [name, sentOf(properties[name], values[name])]),
  );

/** @param {Schema | undefined} schema @param {string} value */
const sentOf = (schema, value) => (isText(schema) ? value : new JsonText(value));
