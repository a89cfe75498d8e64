import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type ConnectorTool, TOOL_NAME_MAX, TOOLS_MAX } from '@action-platform/contracts/operations';
import { isObject } from '@action-platform/contracts/schema';
import type { Unavailable } from '../../cause.ts';
import type { McpClient, Reply } from './client.ts';
import { readJson } from './message.ts';
import type { Session } from './session.ts';

/** The most bytes and values of all pages of a list, and the most pages. */
const LIST_MAX_BYTES = 2 * 1024 * 1024;
const LIST_MAX_VALUES = 50_000;
const PAGES_MAX = 40;
/** The most bytes of the definition of a tool, whose canonical JSON is made without a turn of the event loop. */
const DEFINITION_MAX_BYTES = 64 * 1024;
const page = { maxDepth: 64, maxValues: LIST_MAX_VALUES };

/** The tools of a server. */
export interface ListedTools {
  readonly tools: readonly ConnectorTool[];
  /** Whether the server has more. */
  readonly truncated: boolean;
  /** Whether the answer is of a revision without sessions. */
  readonly isStateless: boolean;
}

/** Lists the tools of a server; a reply that is no list stays one. @throws what `Sender` throws; JsonBusyError */
export async function listTools(
  client: McpClient,
  session: Session,
): Promise<ListedTools | Reply | Unavailable> {
  const tools: ConnectorTool[] = [];
  /** How often each name is in the pages, also behind the tools that are listed. */
  const counts = new Map<string, number>();
  let cursor: unknown;
  let left = LIST_MAX_BYTES;
  let valuesLeft = LIST_MAX_VALUES;
  let isStateless = true;
  for (let n = 0; n < PAGES_MAX && tools.length <= TOOLS_MAX; n++) {
    const params = cursor === undefined ? {} : { cursor };
    const reply = await client.request(
      session,
      { method: 'tools/list', params },
      { maxBytes: left, isRepeatable: true },
    );
    if ('is' in reply) return reply;
    const listed = reply.message?.result;
    const result = listed && (await readJson(Buffer.from(listed.text), page, client.reading));
    // Pages that were read stay of use when those after them are too large, or cannot be read.
    if (n > 0 && (reply.answer.failure === 'too_large' || (listed && result === undefined))) break;
    if (!isObject(result) || !Array.isArray(result.tools)) return reply;
    valuesLeft -= valuesIn(result);
    if (valuesLeft < 0) break;
    const named = result.tools.filter(isNamed);
    for (const { name } of named) counts.set(name, (counts.get(name) ?? 0) + 1);
    // One more shows that the list is truncated.
    for (const tool of named.slice(0, TOOLS_MAX + 1 - tools.length)) {
      tools.push(toolOf(tool));
      await setImmediate();
    }
    isStateless &&= result.resultType === 'complete';
    left -= reply.answer.body?.length ?? 0;
    cursor = result.nextCursor;
    if (cursor === undefined || cursor === null)
      return { tools: described(tools, counts), truncated: tools.length > TOOLS_MAX, isStateless };
  }
  return { tools: described(tools, counts), truncated: true, isStateless };
}

type NamedTool = Readonly<Record<string, unknown>> & { readonly name: string };

function isNamed(tool: unknown): tool is NamedTool {
  return isObject(tool) && typeof tool.name === 'string';
}

function toolOf(tool: NamedTool): ConnectorTool {
  const { name, title, description, inputSchema, annotations } = tool;
  const definition = { name, description, inputSchema, annotations };
  const isTooLarge = Buffer.byteLength(JSON.stringify(definition)) > DEFINITION_MAX_BYTES;
  const problem = isTooLarge ? `It has more than ${DEFINITION_MAX_BYTES} bytes.` : problemOf(tool);
  return {
    name,
    ...(typeof title === 'string' && { title }),
    description: typeof description === 'string' ? description : '',
    inputSchema: isObject(inputSchema) ? inputSchema : {},
    annotations: isObject(annotations) ? annotations : {},
    digest: isTooLarge ? '' : hash('sha256', canonical(definition)),
    ...(problem !== undefined && { problem }),
  };
}

function problemOf({ name, inputSchema }: NamedTool): string | undefined {
  if (name === '' || [...name].length > TOOL_NAME_MAX)
    return `Its name has not 1 to ${TOOL_NAME_MAX} characters.`;
  if (!isObject(inputSchema)) return 'It has no inputSchema.';
  // Revision 2026-07-28: such inputs are sent in headers as well, which the platform does not do.
  if (JSON.stringify(inputSchema).includes('"x-mcp-header":')) return 'Its server takes inputs in headers.';
  return undefined;
}

/** The first tools, with a problem at each whose name another one has, too. */
function described(tools: readonly ConnectorTool[], counts: ReadonlyMap<string, number>): ConnectorTool[] {
  return tools
    .slice(0, TOOLS_MAX)
    .map((tool) =>
      counts.get(tool.name)! > 1 ? { ...tool, problem: 'Another tool has the same name.' } : tool,
    );
}

/** The number of values, the given one and each in it. */
function valuesIn(value: unknown): number {
  const parts: unknown[] = typeof value === 'object' && value !== null ? Object.values(value) : [];
  return parts.reduce<number>((count, part) => count + valuesIn(part), 1);
}

/** The canonical JSON of a value (RFC 8785), without absent members. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  // Names are compared by their UTF-16 code units.
  members.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}
