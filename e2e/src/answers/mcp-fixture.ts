import { operations } from '@action-platform/contracts/operations';
import { idempotencyKeyField } from '@action-platform/contracts/schema';
import { callTool, type McpSender, sendMessage } from '../mcp.ts';
import { type CallAnswer, Fixture, refusalOfItem } from './fixture.ts';

/** The fixture of the scenarios, whose calls are those of tools. */
export class McpFixture extends Fixture {
  /**
   * Calls the tool of an operation, and answers as HTTP would. Calls that need an idempotency key get one when their input is an object
   * without one; a string is sent unchanged. Throws when the next step of a refusal is not one that this caller can take here.
   */
  override async call(
    token: string | undefined,
    operationId: string,
    input: object | string = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<CallAnswer> {
    const sender = { gateway: this.gateway(), token, headers };
    const called = operations.get(operationId);
    const isKeyed = called && idempotencyKeyField(called.input) && typeof input === 'object';
    const args = isKeyed ? { idempotency_key: crypto.randomUUID(), ...input } : input;
    const { status, json } = await callTool(sender, operationId, args);
    const { error, result } = json;
    if (error?.code === -32700) return { status, code: 'invalid_json', message: undefined, result: {} };
    const content = result && JSON.parse(result.content[0].text);
    if (result !== undefined && !result.isError) {
      const { code, message } = refusalOfItem(content.result) ?? {};
      return { status, code, message, result: content.result };
    }
    // An error stands alone, in the result of a tool or in a JSON-RPC error.
    const { code, message, next } = (error?.data ?? content ?? json).error;
    await requirePossible(sender, next);
    return { status, code, message, result: {} };
  }
}

/** Throws when a next step names something that a client of this protocol does not have. */
async function requirePossible(sender: McpSender, next: string): Promise<void> {
  const impossible = /\/api|\/docs|\b(GET|POST|DELETE)\b|Retry-After|Allow header|[a-z]\.[a-z]+_[a-z]/.exec(
    next,
  )?.[0];
  if (impossible !== undefined) throw new Error(`The next step names ${impossible}: ${next}`);
  const named = next.match(/\b[a-z]+(?:_[a-z]+)*__[a-z_]+/g) ?? [];
  if (named.length === 0) return;
  const { tools } = (await sendMessage(sender, 'tools/list')).json.result as {
    tools: readonly { name: string }[];
  };
  const unlisted = named.filter((name) => !tools.some((tool) => tool.name === name));
  if (unlisted.length > 0) throw new Error(`The next step names ${unlisted}, which is not listed: ${next}`);
}
