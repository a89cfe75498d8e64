import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { Platform } from '../platform.ts';
import { bearer, type Connection, connections, type ToolResult } from './connections.ts';
import { callEveryTool } from './every-tool.ts';
import { type RecordingProxy, startProxy } from './proxy.ts';

const ENVELOPE = ['code', 'message', 'next', 'recoverable', 'requestId', 'docs_url'].toSorted();

const platform = new Platform();
let proxy: RecordingProxy;
/** An endpoint of a company, which answers every call. */
const endpoint = createServer((_request, response) => response.end('{"refunded":1.0}'));
before(async () => {
  await platform.ready;
  await registerRefund();
  proxy = await startProxy(platform.baseUrl, platform.token);
});
after(async () => {
  await proxy?.close();
  endpoint.close();
});

/** Registers the endpoint as a tool of the Workspace. */
async function registerRefund(): Promise<void> {
  endpoint.listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  const { port } = endpoint.address() as AddressInfo;
  const { status } = await platform.fetch('PUT', '/api/v1/custom-operations/custom.refund_order', {
    title: 'Refund an order',
    description: 'Refunds an order.',
    effect: 'write',
    availability: 'workspace_member',
    url: `http://127.0.0.1:${port}/`,
    inputSchema: {
      type: 'object',
      properties: { order: { type: 'string' } },
      required: ['order'],
      additionalProperties: false,
    },
  });
  assert.equal(status, 200);
}

/** The result in the answer that the gateway sent last. */
const sent = (): ToolResult => JSON.parse(proxy.lastAnswer()).result;

/** Expects that a client reports the refusal of an input as the gateway sent it, with the error that the call gets over HTTP. */
async function requireRefused(connection: Connection, tool: string, args: object): Promise<void> {
  const { content, isError, structuredContent } = await connection.call(tool, { ...args });
  assert.deepEqual([isError, structuredContent], [true, undefined], tool);
  assert.deepEqual(content, sent().content, tool);
  const { error } = JSON.parse(content[0]!.text!);
  assert.deepEqual(Object.keys(error).toSorted(), ENVELOPE);
  const overHttp = await errorOverHttp(tool.replace('__', '.'), args);
  assert.deepEqual([error.code, overHttp.code], ['invalid_request', 'invalid_request'], tool);
  assert.deepEqual([error.message, error.recoverable], [overHttp.message, overHttp.recoverable], tool);
}

/** The error of an operation over HTTP. */
async function errorOverHttp(operation: string, input: object) {
  const response = await platform.fetch('POST', `/api/v1/operations/${operation}`, input);
  return ((await response.json()) as any).error;
}

describe('every tool answers, and a refusal has the whole envelope, with', () => {
  for (const [name, connect] of Object.entries(connections)) {
    test(name, async (context) => {
      const connection = await connect(proxy.url, bearer(platform.token));
      const tools = (await connection.tools()).map(({ name }) => name);
      const called = new Map<string, Record<string, unknown>>();
      const requireResult: Parameters<typeof callEveryTool>[2] = async (tool, args, result) => {
        const { content, isError, structuredContent } = result;
        assert.notEqual(isError, true, `${tool}: ${content[0]?.text}`);
        assert.deepEqual(content, sent().content, tool);
        assert.deepEqual(structuredContent, sent().structuredContent, tool);
        called.set(tool, args);
      };
      await callEveryTool(connection, platform.baseUrl, requireResult);
      const refund = { order: '1', idempotency_key: crypto.randomUUID() };
      const refunded = await connection.call('custom__refund_order', refund);
      assert.equal(refunded.content[0]?.text, '{"result":{"refunded":1.0}}');
      await requireResult('custom__refund_order', refund, refunded);

      // The Workspace has no file with the key of the example.
      assert.deepEqual([...called.keys(), 'knowledge__get_file'].toSorted(), tools);

      for (const [tool, args] of called)
        await requireRefused(connection, tool, { ...args, unexpected: true });
      context.diagnostic(`${called.size} tools`);
      await connection.close();
    });
  }
});
