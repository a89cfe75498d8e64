import { toolName } from '@action-platform/contracts';
import { operationPath } from '../contenders/api.ts';
import type { Requests } from '../load/load.ts';

const VERSION = '2026-07-28';
const meta = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The calls of an operation over HTTP as calls of its tool. */
export function asTool({ path, bodies, ...others }: Requests): Requests {
  const name = toolName(path.slice(operationPath('').length));
  const bodyOf = (input: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${input},"_meta":${JSON.stringify(meta)}}}`;
  const headers = { 'mcp-protocol-version': VERSION, 'mcp-method': 'tools/call', 'mcp-name': name };
  return { ...others, path: '/mcp', bodies: bodies.map(bodyOf), headers };
}
