import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Platform } from '../platform.ts';
import { bearer, connections } from './connections.ts';
import { callEveryTool } from './every-tool.ts';

const platform = new Platform();

test('any tool called twice leaves what one call left', async () => {
  const connect = connections['@modelcontextprotocol/client by default']!;
  const connection = await connect(`${platform.baseUrl}/mcp`, bearer(platform.token));
  const changesOf = async (again: (tool: string, args: Record<string, unknown>) => Promise<void>) => {
    // The events of earlier changes, such as those of the start, may still be on their way.
    const { cursor } = await eventsAfter('latest');
    await callEveryTool(connection, platform.baseUrl, again);
    return (await eventsAfter(cursor)).types.toSorted();
  };
  const once = await changesOf(async () => {});
  const twice = await changesOf(async (tool, args) => {
    const { content, isError } = await connection.call(tool, args);
    assert.notEqual(isError, true, `${tool}: ${content[0]!.text}`);
  });
  assert.notEqual(once.length, 0);
  assert.deepEqual(twice, once);
  await connection.close();
});

/** The types of the change events behind a cursor, and the cursor behind them, once the feed stays at its end for some seconds. */
async function eventsAfter(cursor: string): Promise<{ types: string[]; cursor: string }> {
  const types = new Map<string, string>();
  for (let next = cursor; ; ) {
    const input = { limit: 500, wait_seconds: 5, cursor: next };
    const { events, next_cursor } = await platform.call('events.list_events', input);
    if (events.length === 0) return { types: [...types.values()], cursor: next_cursor };
    for (const { id, type } of events) types.set(id, type);
    next = next_cursor;
  }
}
