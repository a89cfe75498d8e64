/*
 * Reads an OpenAPI document (3.0, 3.1) as definitions of custom operations with targets in a connector. The console and
 * docs/clients/import-openapi.mjs share it: the server reads no foreign document. Each definition says what it loses of the document.
 */
import { inputSchemaOf } from './openapi-input.js';
import { resolved, shortened } from './openapi-schema.js';

/** An operation of a document: the body of `PUT /api/v1/custom-operations/{id}` with its losses, or the `problem`. @typedef {{ id: string, source: string, definition?: any, losses: string[], problem?: string }} Imported */

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const NAME_MAX = 56;

/** The operations of a document, in its order. @param {any} document parsed JSON or YAML @param {string} connector its name @returns {Imported[]} */
export function definitionsOf(document, connector) {
  if (!/^3\./.test(document?.openapi ?? '')) throw new Error('The document is not one of OpenAPI 3.');
  const taken = new Set();
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) => {
    const shared = resolved(document, item);
    return METHODS.filter((method) => shared[method] !== undefined).map((method) => {
      const operation = shared[method];
      const id = `custom.${freeName(nameOf(operation.operationId ?? `${method} ${path}`, method), taken)}`;
      const parameters = [...(shared.parameters ?? []), ...(operation.parameters ?? [])];
      const source = `${method.toUpperCase()} ${path}`;
      return { id, source, ...definitionOf(document, { method, path, operation, parameters, connector }) };
    });
  });
}

/** @param {any} document @param {{ method: string, path: string, operation: any, parameters: any[], connector: string }} of */
const definitionOf = (document, { method, path, operation, parameters, connector }) =>
  definitionFrom(document, { method, path, parameters, body: operation.requestBody }, (place) => ({
    title: operation.summary || operation.operationId || `${method.toUpperCase()} ${path}`,
    description: operation.description,
    isRead: method === 'get',
    destructive: method === 'delete',
    target: { connector, method, ...place },
  }));

/**
 * A definition of an operation with its losses, or the problem. @param {any} document of its schemas @param {Parameters<typeof inputSchemaOf>[1]} operation
 * @param {(place: object) => { title: string, description?: string, isRead: boolean, destructive: boolean, target: object }} about @returns {Pick<Imported, 'definition' | 'losses' | 'problem'>}
 */
export function definitionFrom(document, operation, about) {
  /** @type {string[]} */
  const losses = [];
  try {
    const { schema: inputSchema, place } = inputSchemaOf(document, operation, losses);
    const { title, description, isRead, destructive, target } = about(place);
    const definition = {
      title: shortened(title, 100),
      description: shortened(description || title, 1000),
      effect: isRead ? 'read' : 'write',
      availability: 'workspace_member',
      destructive,
      inputSchema,
      target,
    };
    return { definition, losses: [...new Set(losses)] };
  } catch (error) {
    return { losses, problem: /** @type {Error} */ (error).message };
  }
}

/** A name of two words or more: `issues/createComment` is issues_create_comment. @param {string} text @param {string} method */
export function nameOf(text, method) {
  const words = text
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  if (words.length < 2 || !/^[a-z]/.test(words[0] ?? '')) words.unshift(method);
  return words.length < 2 ? `${method}_root` : words.join('_');
}

/** A name as this one that is not taken, which takes it. @param {string} name @param {Set<string>} taken */
export function freeName(name, taken) {
  for (let number = 1; ; number++) {
    const end = number === 1 ? '' : `_${number}`;
    const free = name.slice(0, NAME_MAX - end.length).replace(/_+$/, '') + end;
    if (taken.has(free)) continue;
    taken.add(free);
    return free;
  }
}
