import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Platform, startPlatform } from '../platform.ts';
import { bearer, connections, type ToolResult } from './connections.ts';
import { callEveryTool } from './every-tool.ts';

const CALLS = 100;
const AT_ONCE = 10;
const RETRY_AFTER_MS = 100;
/** The errors after which a client repeats its call. */
const REPEATED = ['action_platform_unavailable', 'action_infrastructure_failure'];

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform?.stop());

/** A tool that writes, the service behind it, and what its calls leave. */
interface Write {
  readonly tool: string;
  readonly service: string;
  /** Prepares the data of the calls; returns the arguments of each, by its number. */
  prepare(): Promise<(index: number) => object>;
  /** Throws unless each call had one effect. @param results of the calls, in their order */
  requireOneEach(results: readonly any[]): Promise<void>;
}

/** A tool that makes version 2 of a Record: each call has a Record of its own. */
const change = (tool: string, content: (index: number) => object): Write => {
  const ids: string[] = [];
  let collection_id = '';
  return {
    tool,
    service: 'record-store',
    prepare: async () => {
      collection_id = await newCollection(tool);
      await forEachCall(async (index) => {
        const push = { collection_id, payload: { index } };
        ids[index] = (await platform.call('record_store.push_record', push)).record.id;
      });
      return (index) => ({ collection_id, record_id: ids[index], ...content(index) });
    },
    requireOneEach: (results) =>
      forEachCall(async (index) => {
        const input = { collection_id, record_id: ids[index] };
        const { revisions } = await platform.call('record_store.get_record_history', input);
        const payloads = revisions.map(({ payload }: any) => payload);
        assert.deepEqual(payloads, [{ index }, results[index].record.payload]);
      }),
  };
};

const writes: readonly Write[] = [
  {
    tool: 'record_store__push_record',
    service: 'record-store',
    prepare: async () => {
      const collection_id = await newCollection('pushed');
      return (index) => ({ collection_id, payload: { index } });
    },
    requireOneEach: async (results) => {
      const { collection_id } = results[0].record;
      const { records } = await platform.call('record_store.list_records', { collection_id, limit: 200 });
      const ids = (of: any[]) => of.map(({ id }) => id).toSorted();
      assert.deepEqual(ids(records), ids(results.map(({ record }) => record)));
    },
  },
  change('record_store__replace_record', (index) => ({ payload: { replaced: index } })),
  change('record_store__patch_record', (index) => ({ patch: { patched: index } })),
  {
    tool: 'mail__send_email',
    service: 'mail',
    prepare: async () => (index) => ({ to: ['ada@example.com'], subject: `Draft ${index}`, body: 'Text' }),
    requireOneEach: async () => {
      const drafts = globSync('mail/**/*.eml', { cwd: platform.directory });
      const subjects = drafts.map((file) => {
        const message = readFileSync(join(platform.directory, file), 'utf8');
        return Number(/^Subject: Draft (\d+)/m.exec(message)![1]);
      });
      const expected = Array.from({ length: CALLS }, (_, index) => index);
      assert.deepEqual(
        subjects.toSorted((a, b) => a - b),
        expected,
      );
    },
  },
  {
    tool: 'procedures__create_draft',
    service: 'procedures',
    prepare: async () => (index) => ({
      slug: `p-${index}`,
      title: 'Greet',
      description: '',
      markdown: '# Hi',
    }),
    requireOneEach: async () => {
      const events = await eventsAfter(undefined);
      assert.equal(events.filter((type) => type === 'procedure.drafted').length, CALLS);
    },
  },
];

describe(`${CALLS} calls, while the gateway and then the service are killed, have one effect each:`, () => {
  for (const { tool, service, prepare, requireOneEach } of writes) {
    test(tool, async (context) => {
      const argumentsOf = await prepare();
      const isKeyed = tool !== 'procedures__create_draft';
      const calls = Array.from({ length: CALLS }, (_, index) => ({
        ...argumentsOf(index),
        ...(isKeyed && { idempotency_key: crypto.randomUUID() }),
      }));
      const kills = new Map([
        [CALLS / 4, 'gateway'],
        [CALLS / 2, service],
      ]);
      const lost: string[] = [];
      const results: ToolResult[] = [];
      await forEachCall(async (index) => {
        const killed = kills.get(index);
        if (killed !== undefined) platform.kill(killed);
        results[index] = await settled(tool, calls[index]!, lost);
      });
      context.diagnostic(`${lost.length} calls were repeated: ${[...new Set(lost)].join(', ')}`);
      assert.ok(lost.includes('no answer'));
      await forEachCall(async (index) => {
        const { content, _meta } = await settled(tool, calls[index]!, []);
        assert.deepEqual(content, results[index]!.content);
        assert.equal(_meta?.['action-platform/idempotentReplayed'], isKeyed || undefined);
      });
      await requireOneEach(results.map(({ content }) => JSON.parse(content[0]!.text!).result));
    });
  }
});

test('any tool called twice leaves what one call left', async () => {
  const connect = connections['@modelcontextprotocol/client by default']!;
  const connection = await connect(`${platform.baseUrl}/mcp`, bearer(platform.token));
  const changesOf = async (again: (tool: string, args: Record<string, unknown>) => Promise<void>) => {
    const { next_cursor } = await platform.call('events.list_events', { cursor: 'latest' });
    await callEveryTool(connection, again);
    return (await eventsAfter(next_cursor)).toSorted();
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

let id = 0;

/** Calls a tool, each time under a new id, until its outcome is known. @param lost receives why a call was repeated */
async function settled(tool: string, args: object, lost: string[]): Promise<ToolResult> {
  for (;;) {
    const params = { name: tool, arguments: args };
    const answer = await fetch(`${platform.baseUrl}/mcp`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${platform.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: id++, method: 'tools/call', params }),
    })
      .then((response) => response.json() as any)
      .catch(() => undefined);
    const { result, error } = answer ?? {};
    if (result !== undefined && result.isError !== true) return result;
    const code =
      answer === undefined ? 'no answer' : (error ?? JSON.parse(result.content[0].text).error).code;
    if (answer !== undefined) assert.ok(REPEATED.includes(code), JSON.stringify(answer));
    lost.push(code);
    await delay(RETRY_AFTER_MS);
  }
}

/** Runs a task for the number of each call, some at a time. */
async function forEachCall(task: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < CALLS) await task(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function newCollection(name: string): Promise<string> {
  const { collection } = await platform.call('record_store.create_collection', { name });
  return collection.id;
}

/** The types of the change events behind a cursor, once the feed stays at its end for some seconds. */
async function eventsAfter(cursor: string | undefined): Promise<string[]> {
  const types = new Map<string, string>();
  for (let next = cursor; ; ) {
    const input = { limit: 500, wait_seconds: 5, ...(next !== undefined && { cursor: next }) };
    const { events, next_cursor } = await platform.call('events.list_events', input);
    if (events.length === 0) return [...types.values()];
    for (const { id, type } of events) types.set(id, type);
    next = next_cursor;
  }
}
