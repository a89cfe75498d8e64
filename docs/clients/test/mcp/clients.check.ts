import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Platform, startPlatform } from '../platform.ts';
import { connections, type ToolResult } from './connections.ts';
import { callEveryTool } from './every-tool.ts';
import { type RecordingProxy, startProxy } from './proxy.ts';

const ENVELOPE = ['code', 'message', 'next', 'recoverable', 'requestId', 'docs_url'].toSorted();

let platform: Platform;
let proxy: RecordingProxy;
before(async () => {
  platform = await startPlatform();
  proxy = await startProxy(platform.baseUrl, platform.token);
});
after(async () => {
  await proxy?.close();
  await platform?.stop();
});

/** The result in the answer that the gateway sent last. */
const sent = (): ToolResult => JSON.parse(proxy.lastAnswer()).result;

/** The error of an operation over HTTP. */
async function errorOverHttp(operation: string, input: object) {
  const response = await fetch(`${platform.baseUrl}/api/v1/operations/${operation}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${platform.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(input),
  });
  return ((await response.json()) as any).error;
}

describe('every tool answers, and a refusal has the whole envelope, with', () => {
  for (const [name, connect] of Object.entries(connections)) {
    test(name, async (context) => {
      const connection = await connect(proxy.url, platform.token);
      const tools = await connection.tools();
      const called = new Map<string, Record<string, unknown>>();
      await callEveryTool(connection, async (tool, args, { content, isError, structuredContent }) => {
        assert.notEqual(isError, true, `${tool}: ${content[0]?.text}`);
        assert.deepEqual(content, sent().content, tool);
        assert.deepEqual(structuredContent, sent().structuredContent, tool);
        called.set(tool, args);
      });

      for (const [tool, args] of called) {
        const wrong = { ...args, unexpected: true };
        const { content, isError, structuredContent } = await connection.call(tool, wrong);
        assert.deepEqual([isError, structuredContent], [true, undefined], tool);
        assert.deepEqual(content, sent().content, tool);
        const { error } = JSON.parse(content[0]!.text!);
        assert.deepEqual(Object.keys(error).toSorted(), ENVELOPE);
        const { code, message, recoverable } = await errorOverHttp(tool.replace('__', '.'), wrong);
        assert.deepEqual([error.code, error.message, error.recoverable], [code, message, recoverable], tool);
      }
      assert.deepEqual([...called.keys()].toSorted(), tools);
      context.diagnostic(`${called.size} tools`);
      await connection.close();
    });
  }
});
