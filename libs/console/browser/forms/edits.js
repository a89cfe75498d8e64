import { difference } from '../text/diff.js';
import { JsonText, read, toJson } from '../text/text.js';

/** @typedef {Record<string, any>} Values */
/** @typedef {readonly (readonly [value: string, label: unknown])[]} Options */
/** @typedef {readonly [value: string, label: string, detail?: string, group?: string]} Choice */
/**
 * A field of a form, by its kind, `text` by default.
 * @typedef {object} Field
 * @property {string} name
 * @property {string} label
 * @property {'text' | 'area' | 'number' | 'check' | 'select' | 'choices' | 'conditions' | 'time' | 'password'} [kind]
 * @property {Options} [options]
 * @property {any} [value]
 * @property {string | undefined} [hint]
 * @property {boolean} [isRequired]
 * @property {number} [longest]
 * @property {(values: Values) => boolean} [isShown]
 * @property {readonly Choice[]} [suggestions] values that a field of text offers
 * @property {string | undefined} [step] the heading of the fields that begin with this one
 * @property {readonly Choice[] | (() => Promise<readonly Choice[]>)} [choices] the boxes to tick of `choices`, or a function that fetches them all
 * @property {readonly (readonly [label: string, values: readonly string[]])[]} [presets] buttons that tick some choices
 * @property {string} [all] the label of a choice of its own, whose value is null: all of them, and those to come
 */

/** The fields whose text is JSON. */
export const JSON_FIELDS = ['inputSchema', 'outputSchema', 'refusals', 'target'];

/** The values of a form. An empty or hidden field has no value. @param {readonly Field[]} fields @param {FormData} data @returns {Values} */
export function valuesOf(fields, data) {
  /** @param {Field} field */
  const entered = ({ name, kind }) => {
    const values = /** @type {string[]} */ (data.getAll(name)).filter((value) => value !== '');
    const [value] = values;
    if (kind === 'check') return value !== undefined;
    if (kind === 'choices') return data.get(`${name}:all`) === 'all' ? null : values;
    if (kind === 'number') return value && Number(value);
    return kind === 'time' && value ? new Date(value).toISOString() : value;
  };
  const values = fields.map((field) => [field.name, entered(field)]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** The changed values, for a request that leaves all others as they are. An emptied text is null. A hidden field was not changed. @param {readonly Field[]} fields with the former values @param {Values} values @returns {Values} */
export function changesOf(fields, values) {
  const isShown = (/** @type {Field} */ field) => field.isShown?.(values) !== false;
  const pairs = fields
    .filter(isShown)
    .map((field) => [field.name, values[field.name] ?? null, formerOf(field)]);
  return Object.fromEntries(
    pairs
      .filter(([, value, former]) => JSON.stringify(comparable(value)) !== JSON.stringify(comparable(former)))
      .map(([name, value]) => [name, value]),
  );
}

/** The value of a field before somebody changed it, in the form of `valuesOf`. @param {Field} field */
function formerOf({ kind, value, all, options = [] }) {
  if (kind === 'check') return value === true;
  if (kind === 'choices') return value ?? (all === undefined ? [] : null);
  if (kind === 'select') return (value ?? options[0]?.[0]) || null;
  if (kind === 'number') return value ? Number(value) : null;
  return value || null;
}

/** The order of choices does not count. @param {unknown} value */
const comparable = (value) => (Array.isArray(value) ? value.toSorted() : value);

/** Values without those that are null, such as the choice of all in a request that makes something. @param {Values} values @returns {any} */
export const withoutNull = (values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

/** Values whose passwords are left out. @param {readonly Field[]} fields @param {Values} values @returns {Values} */
export function withoutPasswords(fields, values) {
  const hidden = fields.filter(({ name, kind }) => kind === 'password' && values[name] !== undefined);
  return { ...values, ...Object.fromEntries(hidden.map(({ name }) => [name, '…'])) };
}

/** A rule with these changes; all that the form does not show stays as it is. @param {Values} changes @param {any} rule @returns {any} */
export function ruleOf(changes, rule) {
  const { grantIds, when, approvers, ...changed } = { ...rule, ...changes };
  // The form has the conditions as the text of their JSON, and hides them without operations.
  const conditions = changes.when ? new JsonText(changes.when) : when;
  return withoutNull({
    ...changed,
    grantIds: (changed.callers === 'grants' && grantIds) || null,
    when: (changed.operations && conditions) || null,
    approvers: approvers?.length > 0 ? approvers : null,
  });
}

/** Whether the platform has what a request sent, whatever its revision. @param {any} sent @param {any} present */
export function isSaved(sent, present) {
  const nodeOf = (/** @type {any} */ value) => read(toJson({ ...value, revision: 0 }));
  return difference(nodeOf(sent), nodeOf(present)).length === 0;
}

/** The members of a definition that the platform sets. */
const SET = /^(id|definitionId|connectorId|status|revision|(created|updated)(At|By))$/;

/** A definition with these changes, as the API takes it: whole, so all that the form does not show stays as it is. @param {Values} changes @param {any} known */
export function definitionWith(changes, known) {
  const kept = Object.entries(known).filter(([name]) => !SET.test(name));
  const entered = Object.entries(changes).map(([name, value]) => [
    name,
    JSON_FIELDS.includes(name) && value ? new JsonText(value) : value,
  ]);
  return withoutNull({ ...Object.fromEntries([...kept, ...entered]), expectedRevision: known.revision ?? 0 });
}

/** The pairs of a text with a name and a value on each line, such as `Accept: text/plain`. @param {string} [text] @returns {Record<string, string>} */
export function pairsOf(text = '') {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const pairs = lines.map((line) => {
    const [name = '', ...parts] = line.split(':');
    return [name.trim(), parts.join(':').trim()];
  });
  return Object.fromEntries(pairs);
}
