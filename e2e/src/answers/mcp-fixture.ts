import { operations, toolName } from '@action-platform/contracts';
import { send } from '../http.ts';
import { type Answer, Fixture } from './fixture.ts';

const VERSION = '2026-07-28';
const meta = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A message of the Model Context Protocol, as far as it reaches the platform. */
interface Sent {
  readonly gateway: string;
  readonly token: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** The fixture of the scenarios, whose calls are those of tools. */
export class McpFixture extends Fixture {
  override async call(
    token: string | undefined,
    operationId: string,
    input: object | string = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    return await callTool({ gateway: this.gateway(), token, headers }, operationId, input);
  }
}

/**
 * Calls the tool of an operation, and answers as HTTP would. Calls that need an idempotency key get one when their input is an object
 * without one; a string is sent unchanged. Throws when the next step of a refusal is not one that this caller can take here.
 */
async function callTool(sent: Sent, operationId: string, input: object | string): Promise<Answer> {
  const name = toolName(operationId);
  const isKeyed = operations.get(operationId)?.idempotent === 'by_key';
  const args =
    typeof input === 'string'
      ? input
      : JSON.stringify({ ...(isKeyed ? { idempotency_key: crypto.randomUUID() } : {}), ...input });
  const params = `{"name":"${name}","arguments":${args},"_meta":${JSON.stringify(meta)}}`;
  const { status, json } = await message(sent, 'tools/call', params, { 'Mcp-Name': name });
  const { error, result } = json;
  if (error?.code === -32700) return { status, code: 'invalid_json', message: undefined, result: {} };
  const content = result && JSON.parse(result.content[0].text);
  if (result !== undefined && !result.isError)
    return { status, code: undefined, message: undefined, result: content.result };
  // An error stands alone, in the result of a tool or in a JSON-RPC error.
  const { code, message: problem, next } = (error?.data ?? content ?? json).error;
  await requirePossible(sent, next);
  return { status, code, message: problem, result: {} };
}

/** Throws when a next step names something that a client of this protocol does not have. */
async function requirePossible(sent: Sent, next: string): Promise<void> {
  const impossible = /\/api|\/docs|\b(GET|POST|DELETE)\b|Retry-After|Allow header|[a-z]\.[a-z]+_[a-z]/.exec(
    next,
  )?.[0];
  if (impossible !== undefined) throw new Error(`The next step names ${impossible}: ${next}`);
  const named = next.match(/\b[a-z]+(?:_[a-z]+)*__[a-z_]+/g) ?? [];
  if (named.length === 0) return;
  const { json } = await message(sent, 'tools/list', `{"_meta":${JSON.stringify(meta)}}`, {});
  const { tools } = json.result as { tools: readonly { name: string }[] };
  const unlisted = named.filter((name) => !tools.some((tool) => tool.name === name));
  if (unlisted.length > 0) throw new Error(`The next step names ${unlisted}, which is not listed: ${next}`);
}

function message(
  { gateway, token, headers }: Sent,
  method: string,
  params: string,
  more: Readonly<Record<string, string>>,
) {
  return send(gateway, {
    method: 'POST',
    path: '/mcp',
    token,
    body: `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`,
    headers: { ...headers, 'MCP-Protocol-Version': VERSION, 'Mcp-Method': method, ...more },
  });
}
