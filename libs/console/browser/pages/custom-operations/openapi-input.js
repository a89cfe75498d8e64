/* The input of an operation of an OpenAPI document: its parameters and the members of its body, each in its place of a target. */
import { NAME, resolved, schemaOf, shortened } from './openapi-schema.js';

const MAX = { bytes: 16 * 1024, properties: 200 };
/** How many levels of objects and arrays are kept: fewer when the schema would be too large. */
const LEVELS = [7, 5, 4, 3, 2];

/** @typedef {import('./openapi-schema.js').Reading} Reading */

/** The input of an operation, and the place of each of its names. @param {any} document @param {{ method: string, path: string, parameters: any[], body: any }} operation @param {string[]} losses */
export function inputSchemaOf(document, operation, losses) {
  for (const isBrief of [false, true])
    for (const levels of LEVELS) {
      /** @type {string[]} */
      const found = [];
      const read = readInput({ document, losses: found, levels, isBrief, within: [] }, operation);
      const bytes = new TextEncoder().encode(JSON.stringify(read.schema)).length;
      if (bytes > MAX.bytes || countOf(read.schema) > MAX.properties) continue;
      losses.push(...found);
      if (isBrief) losses.push('descriptions of inputs are left out');
      return read;
    }
  throw new Error('Its input is larger than a schema may be.');
}

/** @param {Reading} reading @param {{ method: string, path: string, parameters: any[], body: any }} operation */
function readInput(reading, { method, path, parameters, body }) {
  const { document, losses } = reading;
  /** @type {Record<string, any>} */
  const properties = {};
  const required = new Set();
  /** @param {string} name @param {any} schema @param {boolean} isRequired */
  const add = (name, schema, isRequired) => {
    if (!NAME.test(name) || name in {} || name === 'idempotency_key' || Object.hasOwn(properties, name))
      return false;
    properties[name] = schema;
    if (isRequired) required.add(name);
    return true;
  };
  let template = path;
  const query = [];
  const distinct = new Map(
    parameters.map((each) => resolved(document, each)).map((each) => [`${each.in} ${each.name}`, each]),
  );
  for (const name of path.matchAll(/\{([^}]*)\}/g).map(([, name]) => name ?? ''))
    if (!distinct.has(`path ${name}`))
      distinct.set(`path ${name}`, { in: 'path', name, schema: { type: 'string' } });
  for (const parameter of distinct.values()) {
    const { in: where, name, schema = {}, description, required: isRequired = false } = parameter;
    if (where !== 'path' && where !== 'query') {
      if (isRequired && where === 'header')
        throw new Error(`It needs the header ${name}: set it in the connector.`);
      losses.push(`the ${where} parameter ${name} is not sent`);
      continue;
    }
    const value = schemaOf({ description, ...resolved(document, schema) }, reading, 2);
    const isNested = value.type === 'array' || value.type === 'object';
    // A name in a path is the platform's alone; one of a query is sent.
    const own =
      where === 'path' ? name.replaceAll(/[^A-Za-z0-9_]/g, '_').replace(/^(?=[^A-Za-z])/, 'p') : name;
    if (!isNested && add(own, value, where === 'path' || isRequired)) {
      if (where === 'query') query.push(own);
      template = template.replaceAll(`{${name}}`, `{${own}}`);
    } else if (where === 'path' || isRequired)
      throw new Error(`The ${where} parameter ${name} cannot be an input.`);
    else losses.push(`the query parameter ${name} is not sent`);
  }
  if (
    !/^\/(?:[\w.~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2}|\{\w+\})*$/.test(template) ||
    /\/(\/|(\.|%2e){1,2}(\/|$))/i.test(template)
  )
    throw new Error(`Its path ${path} cannot be a target.`);
  const form = bodyOf(reading, method, body, add);
  const schema = { type: 'object', properties, required: [...required], additionalProperties: false };
  return {
    schema,
    place: { path: template, ...(query.length > 0 && { query }), ...(form && { body: form }) },
  };
}

/** Adds the inputs of a request's body. @param {Reading} reading @param {string} method @param {any} stated @param {(name: string, schema: any, isRequired: boolean) => boolean} add @returns {'form' | undefined} */
function bodyOf(reading, method, stated, add) {
  if (stated === undefined) return undefined;
  const { document, losses } = reading;
  const { content = {}, required: isRequired = false } = resolved(document, stated);
  const type =
    Object.keys(content).find((each) => /[/+]json\b/.test(each)) ??
    Object.keys(content).find((each) => each.startsWith('application/x-www-form-urlencoded'));
  if (type === undefined || method === 'get') {
    if (isRequired) throw new Error(`It takes a body of type ${Object.keys(content).join(', ')}.`);
    losses.push('its body is not sent');
    return undefined;
  }
  const isForm = !/json/.test(type);
  const schema = schemaOf(content[type].schema ?? {}, reading, 1);
  if (schema.type !== 'object')
    throw new Error(`Its body is of type ${schema.type}: inputs are the members of an object.`);
  if (schema.additionalProperties === true && Object.keys(schema.properties ?? {}).length === 0 && isRequired)
    throw new Error('Its body has no named members.');
  const unnamed = resolved(document, content[type].schema).required?.find(
    (/** @type {string} */ name) => !NAME.test(name),
  );
  if (isRequired && unnamed !== undefined)
    throw new Error(`The member ${shortened(unnamed, 40)} of its body cannot be an input.`);
  const must = new Set(isRequired ? schema.required : []);
  for (const [name, value] of Object.entries(schema.properties ?? {})) {
    const isNested = isForm && (value.type === 'array' || value.type === 'object');
    if (!isNested && add(name, value, must.has(name))) continue;
    if (must.has(name)) throw new Error(`The member ${name} of its body cannot be an input.`);
    losses.push(`the member ${name} of its body is not sent`);
  }
  return isForm ? 'form' : undefined;
}

/** How many properties a schema has in all. @param {any} schema @returns {number} */
function countOf({ properties = {}, items }) {
  const inner = [...Object.values(properties), ...(items === undefined ? [] : [items])];
  return inner.reduce((sum, each) => sum + countOf(each), Object.keys(properties).length);
}
