/* The schemas of an OpenAPI document in the dialect of custom operations (docs/custom-operations.md#schemas). Other keywords are losses. */

/** The most characters of a text. */
const TEXT_MAX = 300;
/** The names of inputs. */
export const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+/gu;
const NOTES = ['title', 'description', 'format'];
const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems'];
const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];
/** The keywords of each type beside its notes. @type {Readonly<Record<string, readonly string[]>>} */
const KEPT = {
  string: ['minLength', 'maxLength', 'enum', 'const'],
  number: [...BOUNDS, 'enum', 'const'],
  integer: [...BOUNDS, 'enum', 'const'],
  boolean: ['enum', 'const'],
  null: [],
  array: ['minItems', 'maxItems', 'items'],
  object: ['properties', 'required', 'additionalProperties'],
};
/** The keywords that allow fewer values, which the API checks in their place. */
const NARROWING = [
  'pattern',
  'multipleOf',
  'uniqueItems',
  'not',
  'if',
  'minProperties',
  'maxProperties',
  'patternProperties',
  'propertyNames',
  'contains',
  'prefixItems',
  'dependentRequired',
  'unevaluatedProperties',
];

/** @typedef {{ document: any, losses: string[], levels: number, isBrief: boolean, within: readonly any[] }} Reading */

/** What a reference of the document itself names, or the value as it is. @param {any} document @param {any} value @returns {any} */
export function resolved(document, value, hops = 0) {
  const reference = value?.$ref;
  if (typeof reference !== 'string') return value ?? {};
  if (!reference.startsWith('#/') || hops > 20)
    throw new Error(`It refers to ${reference}, which is not in the document.`);
  const steps = reference
    .slice(2)
    .split('/')
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
  const found = steps.reduce(
    (here, step) =>
      here !== null && typeof here === 'object' && Object.hasOwn(here, step) ? here[step] : undefined,
    document,
  );
  if (found === undefined) throw new Error(`It refers to ${reference}, which is not in the document.`);
  return resolved(document, found, hops + 1);
}

/** A text without hidden characters, cut. @param {unknown} text @param {number} most */
export function shortened(text, most) {
  const characters = [...String(text).replace(HIDDEN, ' ').trim()];
  return (characters.length <= most ? characters : [...characters.slice(0, most - 1), '…']).join('');
}

/** A schema in the dialect. @param {any} stated @param {Reading} reading @param {number} level @returns {any} */
export function schemaOf(stated, reading, level) {
  const { document, losses, levels, isBrief } = reading;
  const target = resolved(document, stated);
  if (reading.within.includes(target) || level > levels) {
    losses.push('deep or recursive parts are open objects');
    return { type: 'object' };
  }
  const here = { ...reading, within: [...reading.within, target] };
  const source = merged(target, here);
  const type = typeOf(source, losses);
  /** @type {Record<string, any>} */
  const schema = { type };
  for (const note of NOTES)
    if (!isBrief && typeof source[note] === 'string') schema[note] = shortened(source[note], TEXT_MAX);
  for (const keyword of NARROWING)
    if (Object.hasOwn(source, keyword)) losses.push(`${keyword} is left to the API`);
  for (const keyword of KEPT[type] ?? []) {
    const value = source[keyword];
    if (value === undefined) continue;
    if (COUNTS.includes(keyword) && Number.isSafeInteger(value) && value >= 0) schema[keyword] = value;
    if (BOUNDS.includes(keyword) && Number.isFinite(value)) schema[keyword] = value;
    if (keyword === 'const' && isOf(type, value)) schema.const = value;
    if (keyword === 'enum' && Array.isArray(value) && value.some((each) => isOf(type, each)))
      schema.enum = value.filter((each) => isOf(type, each));
    if (keyword === 'items') schema.items = schemaOf(value, here, level + 1);
  }
  // OpenAPI 3.0 has exclusive bounds as flags.
  for (const bound of ['Minimum', 'Maximum'])
    if (source[`exclusive${bound}`] === true && Number.isFinite(source[bound.toLowerCase()])) {
      schema[`exclusive${bound}`] = source[bound.toLowerCase()];
      delete schema[bound.toLowerCase()];
    }
  return type === 'object' ? { ...schema, ...membersOf(source, here, level) } : schema;
}

/** @param {any} source @param {Reading} reading @param {number} level */
function membersOf(source, reading, level) {
  const { document, losses } = reading;
  /** @type {Record<string, any>} */
  const properties = {};
  for (const [name, value] of Object.entries(source.properties ?? {})) {
    if (resolved(document, value).readOnly === true) continue;
    if (NAME.test(name) && !(name in {})) properties[name] = schemaOf(value, reading, level + 1);
    else losses.push(`the member ${shortened(name, 40)} has a name that inputs cannot have`);
  }
  const required = [...new Set(source.required ?? [])].filter((name) => Object.hasOwn(properties, name));
  const isOpen = source.additionalProperties !== false;
  if (isOpen && typeof source.additionalProperties === 'object')
    losses.push('further members of objects are open');
  return { properties, required, additionalProperties: isOpen };
}

/** A schema with its `allOf`, and the first of its alternatives, in it. @param {any} target @param {Reading} reading @returns {any} */
function merged({ allOf, oneOf, anyOf, ...own }, reading) {
  const { document, losses } = reading;
  const isNull = (/** @type {any} */ each) => resolved(document, each).type === 'null';
  const alternatives = oneOf ?? anyOf ?? [];
  const others = alternatives.filter((/** @type {any} */ each) => !isNull(each));
  if (others.length < alternatives.length) losses.push('null is left out');
  if (others.length > 1) losses.push(`only the first of ${others.length} alternatives`);
  const parts = [...(allOf ?? []), ...others.slice(0, 1)].map((part) => {
    const found = resolved(document, part);
    return reading.within.includes(found)
      ? {}
      : merged(found, { ...reading, within: [...reading.within, found] });
  });
  /** @type {any} */
  const whole = {};
  for (const part of [...parts, own]) {
    const properties = { ...whole.properties, ...part.properties };
    const required = [...(whole.required ?? []), ...(part.required ?? [])];
    Object.assign(whole, part, part.properties && { properties }, { required });
  }
  return whole;
}

/** The one type of a schema. @param {any} source @param {string[]} losses @returns {string} */
function typeOf({ type, nullable, properties, items, enum: values, const: value }, losses) {
  const types = [type].flat().filter((each) => Object.hasOwn(KEPT, each ?? ''));
  const others = types.filter((each) => each !== 'null');
  if (nullable === true || (others.length > 0 && others.length < types.length))
    losses.push('null is left out');
  if (others.length > 1) losses.push(`only the first of the types ${others.join(', ')}`);
  const [only = types[0]] = others;
  if (only !== undefined) return only;
  if (properties !== undefined) return 'object';
  if (items !== undefined) return 'array';
  const example = values?.[0] ?? value;
  if (['string', 'number', 'boolean'].includes(typeof example)) return typeof example;
  losses.push('a value of any type is an open object');
  return 'object';
}

/** @param {string} type @param {unknown} value */
function isOf(type, value) {
  if (type === 'integer') return Number.isInteger(value);
  if (typeof value === 'string') return type === 'string' && !value.match(HIDDEN);
  return typeof value === type && (type !== 'number' || Number.isFinite(value));
}
