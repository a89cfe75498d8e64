import { services } from '../services/services.ts';

const groups = [...services.map((service) => service.replaceAll('-', '_')), 'custom'];

/**
 * An operation of the platform or a custom one in a text, by its id or by its tool: `record_store.push_record`. Names of operations have two
 * words or more. A host name, an e-mail address or a longer name around the same words names no operation.
 */
const named = new RegExp(
  `(?<![\\w.@-])(${groups.join('|')})(\\.|__)([a-z][a-z0-9]*(?:_[a-z0-9]+)+)(?![\\w@-]|\\.\\w)`,
  'g',
);

/** `record_store.push_record` → `record_store__push_record`: names of tools have no dots. */
export function toolName(operationId: string): string {
  return operationId.replace('.', '__');
}

/** A text with the names of tools in the place of operation ids. */
export function namingTools(text: string): string {
  return text.replaceAll(named, toolName);
}

/** A text with the name of the tool after each operation id. */
export function namingBoth(text: string): string {
  return text.replaceAll(named, (id) => `${id} (tool: ${toolName(id)})`);
}

/** The operations of the platform and custom ones that a text names, by their ids or by their tools. */
export function operationsNamed(text: string): string[] {
  return [...text.matchAll(named)].map(([, group, , name]) => `${group}.${name}`);
}
