import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { Platform } from '../platform.ts';
import { bearer, connections, type Tool } from './connections.ts';

const SENDER = 'jobs@example.com';
const OUTPUT = 'weekly-report';

const platform = new Platform();
let collectionId: string;
let senderId: string;
let headers: Record<string, string>;
before(async () => {
  await platform.ready;
  const sender = ['--email', SENDER, '--display-name', 'Jobs', '--everyone', '--scheduled'];
  platform.admin('sender', 'add', '--workspace', platform.workspaceId, ...sender);
  const { senders } = await platform.call('mail.list_authorized_senders', {});
  senderId = senders.find(({ email }: { email: string }) => email === SENDER).sender_id;
  collectionId = (await platform.call('record_store.create_collection', { name: 'jobs' })).collection.id;
  await platform.call('record_store.create_collection', { name: 'not theirs' });
  const response = await platform.fetch('POST', '/api/v1/routine-grants', {
    name: 'nightly',
    operations: ['mail.send_email', 'record_store.push_record'],
    data: { collectionIds: [collectionId], senderIds: [senderId] },
    outputDefinition: OUTPUT,
    maximumCadence: { invocations: 1, periodSeconds: 3600 },
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const { secret } = (await response.json()) as { secret: string };
  headers = { ...bearer(secret), 'x-routine-invocation-id': 'run-1' };
});

/** The first allowed value of each field that a tool requires and lists values for. */
function allowedBy({ inputSchema: { properties = {}, required = [] } }: Tool): Record<string, unknown> {
  return Object.fromEntries(
    required.flatMap((name) => {
      const [value] = properties[name]?.enum ?? [];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

describe('the holder of a routine grant finds its Collection and its sender in the schemas of its tools alone, with', () => {
  for (const [name, connect] of Object.entries(connections)) {
    test(name, async () => {
      const connection = await connect(`${platform.baseUrl}/mcp`, headers);
      const tools = await connection.tools();
      assert.deepEqual(
        tools.map((tool) => tool.name),
        ['mail__send_email', 'record_store__push_record'],
      );
      const [draft, push] = tools as [Tool, Tool];
      const run = async (tool: Tool, args: object) => {
        const written = { ...args, idempotency_key: crypto.randomUUID() };
        const { content, isError } = await connection.call(tool.name, { ...allowedBy(tool), ...written });
        assert.notEqual(isError, true, `${tool.name}: ${content[0]!.text}`);
        return JSON.parse(content[0]!.text!).result;
      };

      assert.deepEqual(allowedBy(draft), { sender_id: senderId, output_definition: OUTPUT });
      const drafted = await run(draft, { to: ['ada@example.com'], subject: 'Report', body: 'Text' });
      assert.deepEqual([drafted.status, drafted.sender_id], ['drafted', senderId]);
      const { record } = await run(push, { payload: { a: 1 } });
      assert.equal(record.collection_id, collectionId);
      await connection.close();
    });
  }
});
