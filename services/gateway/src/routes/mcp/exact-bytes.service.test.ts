import { createCollection, getRecord, getRecordHistory, pushRecord } from '@action-platform/contracts';
import { anyCharacter } from '@action-platform/testing/arbitraries';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { GatewayHarness, type TestWorkspace } from '../../test/harness.ts';
import { McpClient } from '../../test/mcp-client.ts';

const harness = new GatewayHarness();
let workspace: TestWorkspace;
let mcp: McpClient;
let collectionId: string;

beforeAll(async () => {
  const { platform } = harness;
  await Promise.all([platform.spawn('grants'), platform.spawn('record-store'), harness.start()]);
  workspace = await harness.newWorkspace();
  mcp = new McpClient(harness, workspace.owner.token);
  const created = await harness.execute(workspace.owner.token, createCollection, { name: 'notes' });
  collectionId = created.body.result.collection.id;
});
afterAll(() => harness.stop());

/** JSON texts of objects with names, numbers and strings that a program would change if it read and wrote them. */
const { object: payloads } = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('12345678901234567890', '1.0', '1E+2', '-0', '0.10', '1e-400', 'null', '"\\u0041\\/"'),
    fc.string({ unit: anyCharacter, maxLength: 20 }).map((text) => JSON.stringify(text)),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[ ${items.join(' ,\n')}]`),
    tie('object'),
  ),
  object: fc
    .uniqueArray(
      fc.tuple(fc.constantFrom('$set', '__proto__', 'a.b', 'toJSON', '', 'é', 'n'), tie('value')),
      {
        selector: ([name]) => name,
        maxLength: 4,
      },
    )
    .map(
      (members) => `{${members.map(([name, value]) => `${JSON.stringify(name)} :\t${value}`).join(', ')} }`,
    ),
}));

/** An object of so many levels. */
const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;

async function expectExact(payload: string): Promise<void> {
  const { token } = workspace.owner;
  const input = () =>
    `{ "collection_id":"${collectionId}","payload":${payload},\n"idempotency_key":"${crypto.randomUUID()}"}`;
  const overMcp = await mcp.call(pushRecord, input());
  expect(overMcp).not.toHaveProperty('structuredContent');
  const pushes = [overMcp.content[0]!.text, (await harness.execute(token, pushRecord, input())).text];
  for (const pushed of pushes) {
    expect(pushed).toContain(`"payload":${payload}`);
    const { record } = (JSON.parse(pushed) as { result: { record: { id: string } } }).result;
    const reference = { collection_id: collectionId, record_id: record.id };
    for (const operation of [getRecord, getRecordHistory]) {
      const { text } = (await mcp.call(operation, reference)).content[0]!;
      expect(text).toContain(`"payload":${payload}`);
      expect(text).toBe((await harness.execute(token, operation, reference)).text);
    }
  }
}

describe('a payload passes to the byte, in by one face and out by the other:', () => {
  test('any', async () => {
    await fc.assert(fc.asyncProperty(payloads, expectExact), { numRuns: 15 });
  });

  test('of 63 levels, the deepest', () => expectExact(nested(63)));

  test('of 200 kB', () => expectExact(`{"text":${JSON.stringify('é"\\\n😀'.repeat(15_000))},"n":1.00}`));
});
