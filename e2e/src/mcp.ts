import { toolName } from '@action-platform/contracts/ids';
import { type Answer, send } from '@action-platform/testing/http';

const VERSION = '2026-07-28';
const META = JSON.stringify({
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
});

/** The sender of messages of the Model Context Protocol, and the gateway that gets them. */
export interface McpSender {
  readonly gateway: string;
  readonly token: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of the address of the connection, such as `?only=mail.*`. */
  readonly query?: string;
}

/** Sends a message of the Model Context Protocol. @param params its members, as JSON without the braces */
export async function sendMessage(
  { gateway, token, headers, query = '' }: McpSender,
  method: string,
  params = '',
): Promise<Answer> {
  const members = [params, `"_meta":${META}`].filter(Boolean).join();
  return await send(gateway, {
    ...{ method: 'POST', path: `/mcp${query}`, token },
    body: `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{${members}}}`,
    headers: { ...headers, 'MCP-Protocol-Version': VERSION, 'Mcp-Method': method },
  });
}

/** Calls an operation as a tool; a string is sent unchanged. */
export async function callTool(sender: McpSender, operation: string, args: object | string): Promise<Answer> {
  const name = toolName(operation);
  const json = typeof args === 'string' ? args : JSON.stringify(args);
  const named = { ...sender, headers: { ...sender.headers, 'Mcp-Name': name } };
  return await sendMessage(named, 'tools/call', `"name":"${name}","arguments":${json}`);
}
