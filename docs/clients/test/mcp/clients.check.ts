import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { type Platform, startPlatform } from '../platform.ts';
import { bearer, type Connection, connections, type ToolResult } from './connections.ts';
import { callEveryTool } from './every-tool.ts';
import { type RecordingProxy, startProxy } from './proxy.ts';
import { type RefusedCall, refusedCalls } from './refused-calls.ts';

const ENVELOPE = ['code', 'message', 'next', 'recoverable', 'requestId', 'docs_url'].toSorted();

let platform: Platform;
let proxy: RecordingProxy;
let calls: Awaited<ReturnType<typeof refusedCalls>>;
/** An endpoint of a company, which answers every call. */
const endpoint = createServer((_request, response) => response.end('{"refunded":1.0}'));
before(async () => {
  platform = await startPlatform();
  await registerRefund();
  calls = await refusedCalls(platform);
  proxy = await startProxy(platform.baseUrl, platform.token);
});
after(async () => {
  await proxy?.close();
  await platform?.stop();
  endpoint.close();
});

/** Registers the endpoint as a tool of the Workspace. */
async function registerRefund(): Promise<void> {
  endpoint.listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  const { port } = endpoint.address() as AddressInfo;
  const { status } = await fetch(`${platform.baseUrl}/api/v1/custom-operations/custom.refund_order`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${platform.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
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
    }),
  });
  assert.equal(status, 200);
}

/** The result in the answer that the gateway sent last. */
const sent = (): ToolResult => JSON.parse(proxy.lastAnswer()).result;

/** Expects that a client reports a refusal as the gateway sent it, with the error that the call gets over HTTP. */
async function requireRefused(connection: Connection, [code, tool, args]: RefusedCall): Promise<void> {
  const { content, isError, structuredContent } = await connection.call(tool, args);
  assert.deepEqual([isError, structuredContent], [true, undefined], tool);
  assert.deepEqual(content, sent().content, tool);
  const { error } = JSON.parse(content[0]!.text!);
  assert.deepEqual(Object.keys(error).toSorted(), ENVELOPE);
  const overHttp = await errorOverHttp(tool.replace('__', '.'), args);
  assert.deepEqual([error.code, overHttp.code], [code, code], `${tool}: ${error.message}`);
  assert.deepEqual([error.message, error.recoverable], [overHttp.message, overHttp.recoverable], tool);
}

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
      const connection = await connect(proxy.url, bearer(platform.token));
      const tools = (await connection.tools()).map(({ name }) => name);
      const called = new Map<string, Record<string, unknown>>();
      const requireResult: Parameters<typeof callEveryTool>[1] = async (tool, args, result) => {
        const { content, isError, structuredContent } = result;
        assert.notEqual(isError, true, `${tool}: ${content[0]?.text}`);
        assert.deepEqual(content, sent().content, tool);
        assert.deepEqual(structuredContent, sent().structuredContent, tool);
        called.set(tool, args);
      };
      await callEveryTool(connection, requireResult);
      const refund = { order: '1', idempotency_key: crypto.randomUUID() };
      const refunded = await connection.call('custom__refund_order', refund);
      assert.equal(refunded.content[0]?.text, '{"result":{"refunded":1.0}}');
      await requireResult('custom__refund_order', refund, refunded);

      assert.deepEqual([...called.keys()].toSorted(), tools);

      for (const [tool, args] of called) {
        await requireRefused(connection, ['invalid_request', tool, { ...args, unexpected: true }]);
      }
      for (const call of calls.refused) await requireRefused(connection, call);
      context.diagnostic(`${called.size} tools`);
      await connection.close();
    });
  }
});

describe('a Workspace beyond its quota refuses writes with the whole envelope, with', () => {
  before(() => platform.admin('quota', 'set', '--workspace', platform.workspaceId, '--bytes', '1'));
  for (const [name, connect] of Object.entries(connections)) {
    test(name, async () => {
      const connection = await connect(proxy.url, bearer(platform.token));
      for (const call of calls.overQuota) await requireRefused(connection, call);
      await connection.close();
    });
  }
});
