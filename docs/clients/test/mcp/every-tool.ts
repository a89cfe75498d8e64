import { Samples } from '../../../../e2e/src/samples.ts';
import type { Connection, ToolResult } from './connections.ts';

type Arguments = Record<string, unknown>;

/**
 * Calls every operation of the platform as a tool with its example, in an order that works, and with names and keys of its own.
 *
 * @param onCall receives each call and its result, which has the text of the service's answer.
 */
export async function callEveryTool(
  connection: Connection,
  baseUrl: string,
  onCall: (name: string, args: Arguments, result: ToolResult) => Promise<void>,
): Promise<void> {
  const [samples, tools] = [await Samples.of(baseUrl, 'curl'), await connection.tools()];
  const unique = `c${crypto.randomUUID().slice(0, 8)}`;
  for (const id of samples.succeeding) {
    const tool = tools.find(({ name }) => name === id.replace('.', '__'));
    if (tool === undefined) continue;
    const renewed = JSON.parse(samples.inputOf(id), (key, value) =>
      key === 'name' || key === 'slug' ? unique : value,
    );
    const isKeyed = tool.inputSchema.required?.includes('idempotency_key');
    const args = { ...renewed, ...(isKeyed && { idempotency_key: crypto.randomUUID() }) };
    const result = await connection.call(tool.name, args);
    await onCall(tool.name, args, result);
    samples.compare(id, result.content[0]!.text!);
  }
}
