import { definitionFrom, nameOf } from './openapi.js';

/** A tool as `GET /api/v1/connectors/{name}/tools` lists it. @typedef {{ name: string, title?: string, description?: string, inputSchema: any, annotations?: { readOnlyHint?: boolean, destructiveHint?: boolean, idempotentHint?: boolean }, digest: string, problem?: string }} Tool */

/** The tools of an MCP server as definitions of custom operations. An Owner judges the hints of the server. @param {readonly Tool[]} tools @param {string} connector its name @returns {import('./openapi.js').Imported[]} */
export const definitionsOfTools = (tools, connector) =>
  tools.map((tool) => ({
    id: `custom.${nameOf(`${connector} ${tool.name}`, 'tool')}`,
    source: tool.name,
    ...(tool.problem === undefined ? definitionOf(tool, connector) : { losses: [], problem: tool.problem }),
  }));

/** @param {Tool} tool @param {string} connector */
function definitionOf({ name, title, description, inputSchema, annotations = {}, digest }, connector) {
  const required = Object.keys(inputSchema?.properties ?? {}).length > 0;
  const body = { required, content: { 'application/json': { schema: inputSchema } } };
  const isRead = annotations.readOnlyHint === true;
  const repeats = !isRead && annotations.idempotentHint === true && { repeats: 'safe' };
  return definitionFrom(inputSchema, { method: 'post', path: '/', parameters: [], body }, () => ({
    title: title || name,
    ...(description && { description }),
    isRead,
    destructive: !isRead && annotations.destructiveHint === true,
    target: { connector, tool: name, digest, ...repeats },
  }));
}
