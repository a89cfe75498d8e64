import { services } from '../services/services.ts';

/** The form of operation ids, in a text: `record_store.push_record`. */
const operationIds = /\b([a-z]+(?:_[a-z]+)*)\.([a-z][a-z0-9]*(?:_[a-z0-9]+)+)\b/g;

/** `record_store.push_record` → `record_store__push_record`: names of tools have no dots. */
export function toolName(operationId: string): string {
  return operationId.replace('.', '__');
}

/** A text with the names of tools in the place of operation ids. */
export function namingTools(text: string): string {
  return text.replaceAll(operationIds, toolName);
}

/** A text with the name of the tool after each operation id. */
export function namingBoth(text: string): string {
  return text.replaceAll(operationIds, (id) => `${id} (tool: ${toolName(id)})`);
}

/** The operations of the platform and custom ones that a text names, by their ids or by their tools. */
export function operationsNamed(text: string): string[] {
  return [...text.matchAll(operationOrTool)].map(([, group, name]) => `${group}.${name}`);
}

const groups = [...services.map((service) => service.replaceAll('-', '_')), 'custom'];
const operationOrTool = new RegExp(`\\b(${groups.join('|')})(?:\\.|__)([a-z0-9_]+)`, 'g');
