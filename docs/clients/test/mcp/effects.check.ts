import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Platform } from '../platform.ts';
import { bearer, type Connection, connections } from './connections.ts';
import { callEveryTool } from './every-tool.ts';

/** How often the feeds of the Workspaces may still differ when no event has come for some seconds. */
const MOST_LOOKS = 6;

/** Two Workspaces with the same beginnings. */
const [calledOnce, calledTwice] = [new Platform(), new Platform()];

test('any tool called twice leaves what one call left', async () => {
  await Promise.all([
    callTools(calledOnce, async () => {}),
    callTools(calledTwice, async (connection, tool, args) => {
      const { content, isError } = await connection.call(tool, args);
      assert.notEqual(isError, true, `${tool}: ${content[0]!.text}`);
    }),
  ]);
  const feeds = [new Feed(calledOnce), new Feed(calledTwice)] as const;
  for (let look = 1; ; look++) {
    const [once, twice] = await Promise.all(feeds.map((feed) => feed.types()));
    assert.notEqual(once!.length, 0);
    try {
      assert.deepEqual(twice, once);
      return;
    } catch (difference) {
      // Events that a busy machine publishes late may be missing. One too many never vanishes.
      if (look === MOST_LOOKS) throw difference;
    }
  }
});

/** Calls every tool in a Workspace. @param again receives each call that was made */
async function callTools(
  platform: Platform,
  again: (connection: Connection, tool: string, args: Record<string, unknown>) => Promise<void>,
): Promise<void> {
  const connect = connections['@modelcontextprotocol/client by default']!;
  const connection = await connect(`${platform.baseUrl}/mcp`, bearer(platform.token));
  await callEveryTool(connection, platform.baseUrl, (tool, args) => again(connection, tool, args));
  await connection.close();
}

/** The feed of change events of a Workspace. */
class Feed {
  readonly #platform: Platform;
  readonly #types = new Map<string, string>();
  #cursor: string | undefined;

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** The types of all its events, once it stays at its end for some seconds. */
  async types(): Promise<string[]> {
    for (;;) {
      const input = { limit: 500, wait_seconds: 5, cursor: this.#cursor };
      const { events, next_cursor } = await this.#platform.call('events.list_events', input);
      if (events.length === 0) return [...this.#types.values()].toSorted();
      for (const { id, type } of events) this.#types.set(id, type);
      this.#cursor = next_cursor;
    }
  }
}
