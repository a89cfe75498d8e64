import { html, nothing } from 'lit';
import { jsonView } from '../elements/json.js';
import { codeLink } from '../elements/links.js';
import { directories } from '../elements/names.js';
import { ask, Page } from '../elements/page.js';
import { asCurl, badge, card, optionsOf } from '../elements/view.js';
import { field } from '../forms/fields.js';
import { actionForm } from '../forms/form.js';
import { call, get, hasMail, operation, RUN_HEADER, timed } from '../platform/api.js';
import { indentedJson, JsonText, toJson } from '../text/text.js';

/** @typedef {import('@action-platform/contracts/operations').OperationDescriptor} OperationDescriptor */
/** @typedef {import('../forms/edits.js').Field} Field */
/** @typedef {{ type?: string, enum?: unknown[], const?: unknown, examples?: unknown[], description?: string }} Schema */

/** The beginning of the secret of a routine grant, whose calls name their run. */
const ROUTINE = 'apr_';
const WAYS = optionsOf(['Form', 'JSON']);

const RUN_FIELD = field(RUN_HEADER, RUN_HEADER, { value: 'playground', isRequired: true });

/** The secret of a grant to call with, in memory alone; empty for the sign-in of the Member. */
let secret = '';
globalThis.addEventListener?.('signed-out', () => {
  secret = '';
});

/** Every operation that the Member, or a grant, may call now, as a form or as JSON. */
export default class PlaygroundPage extends Page {
  /** The answer to the last call. @type {unknown} */
  answer = undefined;

  /** Loads the operations of a grant, or of the Member. The page keeps a secret that the platform accepts. */
  async load(token = secret) {
    const refused = (/** @type {any} */ failure) => {
      if (failure.isAnswer && token === secret) secret = '';
      throw failure;
    };
    const [{ operations }, collection_id, sender_id] = await Promise.all([
      call(get('/api/v1/operations'), { token: token || undefined }).catch(refused),
      directories.collection.suggestions(),
      hasMail() ? directories.sender.suggestions() : {},
    ]);
    secret = token;
    this.answer = undefined;
    this.loaded = { operations, ids: { collection_id, sender_id } };
  }

  head() {
    return { about: 'Call any operation that you may call. A write is real.' };
  }

  content() {
    /** @type {OperationDescriptor[]} */
    const operations = this.loaded.operations;
    const chosen = operations.find(({ id }) => id === this.asked.operation) ?? operations[0];
    const groups = Map.groupBy(operations, ({ id }) => id.split('.')[0] ?? '');
    const option = (/** @type {OperationDescriptor} */ { id, title }) =>
      html`<option value=${id} ?selected=${id === chosen?.id}>${title} (${id})</option>`;
    return html`<section class="card"><div class="body"><div class="filters">
        <label>Operation <select @change=${(/** @type {any} */ event) => ask({ ...this.asked, operation: event.target.value })}>
          ${[...groups].map(([group, each]) => html`<optgroup label=${group.replaceAll('_', ' ')}>${each.map(option)}</optgroup>`)}
        </select></label>
        <form class="filters" @submit=${this.useGrant}>
          <label>Call with the secret of a grant <input name="secret" type="password" autocomplete="off" spellcheck="false" placeholder=${secret === '' ? 'your sign-in' : `…${secret.slice(-4)}`}></label>
          <button class="small">${secret === '' ? 'Use it' : 'Use another (empty: your sign-in)'}</button>
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
    const entered = String(new FormData(form).get('secret')).trim();
    form.reset();
    this.attempt(() => this.load(entered));
  }

  /** @param {OperationDescriptor} chosen */
  trial({ id, title, description, inputSchema }) {
    const { properties = {}, required = [] } =
      /** @type {{ properties?: Record<string, Schema>, required?: string[] }} */ (inputSchema);
    const isRoutine = secret.startsWith(ROUTINE);
    const isJson = this.asked.way === 'JSON';
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
    const own = isJson ? [whole] : fields;
    const form = actionForm({
      label: 'Call it',
      fields: isRoutine ? [...own, RUN_FIELD] : own,
      request: ({ [RUN_HEADER]: run, json, ...values }) => ({
        ...operation(id, isJson ? new JsonText(json ?? '{}') : inputOf(properties, values)),
        ...(run && { headers: { [RUN_HEADER]: run } }),
      }),
      send: (request) => this.send(request),
    });
    return card(title, html`<p>${description}</p>${form}`, {
      end: this.choice('Input', 'way', WAYS),
    });
  }

  /** Sends a call, in place of the answer to the one before, and shows its answer, be it a refusal. Throws Refusal. @param {import('../platform/api.js').Request} request */
  async send(request) {
    this.answer = undefined;
    this.requestUpdate();
    const { status, text, ms, isReplayed } = await timed(request, secret || undefined);
    const code = status < 300 ? nothing : codeLink(JSON.parse(text).error.code);
    this.answer = html`<div class="pages" role="status">${badge(`${status}`, status < 300 ? 'good' : status < 500 ? 'warn' : 'bad')} <span class="num">${ms} ms</span> ${isReplayed ? badge('repeated: the outcome of an earlier call', 'info') : nothing} ${code}</div>
      ${jsonView(text)} ${asCurl(request)}`;
    this.requestUpdate();
  }
}

/** Whether a field takes text. Other fields take JSON. @param {Schema} [schema] */
const isText = ({ type, examples = [] } = {}) =>
  type === 'string' || (type === undefined && typeof examples[0] === 'string');

/** @param {string} name @param {Schema} schema @param {boolean} isRequired @param {Partial<Field>} [known] suggests the things whose ids the field takes @returns {Field} */
function fieldFor(name, schema, isRequired, known) {
  const written = (/** @type {unknown} */ value) =>
    isText(schema) ? String(value ?? '') : JSON.stringify(value);
  const options = schema.enum ?? (schema.type === 'boolean' ? [true, false] : undefined);
  const kind = options ? 'select' : isText(schema) && !/body|markdown/.test(name) ? 'text' : 'area';
  const hint = [schema.description, known?.hint].filter(Boolean).join(' ') || undefined;
  const example = known?.suggestions?.[0]?.[0] ?? written(schema.examples?.[0]);
  return field(name, isRequired ? `${name} (required)` : name, {
    ...known,
    kind,
    isRequired,
    hint,
    value: isRequired ? example : undefined,
    options: optionsOf((options ?? []).map(written), isRequired ? undefined : '–'),
    longest: 200_000,
  });
}

/** The input of a call. JSON is sent as the Member wrote it. @param {Record<string, Schema>} properties @param {import('../forms/edits.js').Values} values */
const inputOf = (properties, values) =>
  Object.fromEntries(
    Object.keys(values)
      .filter((name) => name in properties)
      .map((name) => [name, sentOf(properties[name], values[name])]),
  );

/** @param {Schema | undefined} schema @param {string} value */
const sentOf = (schema, value) => (isText(schema) ? value : new JsonText(value));
