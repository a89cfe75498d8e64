import { setTimeout as delay } from 'node:timers/promises';
import { authorize } from '@action-platform/contracts/calls';
import { toolName } from '@action-platform/contracts/ids';
import { getRecord, getRecordHistory, pushRecord, sendEmail } from '@action-platform/contracts/operations';
import { describe, expect, test } from '@jest/globals';
import { callingTool, jsonIn, McpClient } from '../../test/mcp-client.ts';
import { gatewayWithStandIns, json } from '../../test/stand-ins.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE_ID}-00f067aa0ba902b7-01`;
const { harness, standIns } = gatewayWithStandIns(
  [getRecord, getRecordHistory, pushRecord, sendEmail],
  { REQUEST_DEADLINE_MS: '60000' },
  'as a process',
);

const MEGABYTE = 1024 * 1024;

/** The histories that are being sent. The gateway may send a read again, so a call can have two for a moment. */
let openSources = 0;

/** So many megabytes of JSON, whose every fourth byte has to be escaped. */
async function* history(megabytes: number) {
  const chunk = Buffer.from('é"x'.repeat(MEGABYTE / 4));
  openSources++;
  try {
    for (let sent = 0; sent < megabytes; sent++) yield chunk;
  } finally {
    openSources--;
  }
}

describe('a long result', () => {
  test('of 128 MiB costs the gateway less than 32 MiB', async () => {
    const answer = async (megabytes: number) => {
      standIns.answers.set(getRecordHistory.subject, async () => ({
        status: 200,
        body: history(megabytes),
      }));
      const { socket } = await callingTool(harness, harness.token, getRecordHistory);
      const before = socket.bytesRead;
      let most = 0;
      const total = megabytes * MEGABYTE * 1.25;
      socket.on('data', () => {});
      while (socket.bytesRead - before < total) {
        most = Math.max(most, harness.process!.residentMB());
        await delay(20);
      }
      socket.destroy();
      return most;
    };
    // A long answer first: the heap grows to its usual size, whatever the length of the answer.
    const usual = await answer(64);
    expect((await answer(128)) - usual).toBeLessThan(32);
  }, 180_000);

  test('is whole behind an id that is longer than a write', async () => {
    const body = async () => ({ status: 200, body: history(1) });
    standIns.answers.set(getRecordHistory.subject, body);
    const params = { name: toolName(getRecordHistory.id), arguments: {} };
    const id = 'i'.repeat(100_000);
    const answer = await new McpClient(harness, harness.token).modern('tools/call', params, id);
    expect(answer.body.id).toBe(id);
    expect(answer.body.result.content[0].text).toBe('é"x'.repeat(MEGABYTE / 4));
  });

  test('of a caller that leaves ends its source', async () => {
    standIns.answers.set(getRecordHistory.subject, async () => ({
      status: 200,
      body: history(Number.POSITIVE_INFINITY),
    }));
    const caller = await callingTool(harness, harness.token, getRecordHistory);
    await caller.receives(/"content"/);
    expect(openSources).toBeGreaterThan(0);
    caller.socket.destroy();
    while (openSources > 0) await delay(10);
  });
});

const ANOTHER = TRACEPARENT.replace('4bf9', '5555');
const MADE = /^(?!0{32})[0-9a-f]{32}$/;
test.each<[where: string, inMeta: unknown, headers: Record<string, string>, traceId: RegExp]>([
  ['_meta', TRACEPARENT, {}, new RegExp(TRACE_ID)],
  ['a header, before that in _meta', ANOTHER, { traceparent: TRACEPARENT }, new RegExp(TRACE_ID)],
  ['_meta unless malformed', 'nonsense', {}, MADE],
  ['_meta unless malformed', 7, {}, MADE],
  ['_meta unless malformed', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, {}, MADE],
])("a caller's trace continues from %s: %s", async (_where, traceparent, headers, traceId) => {
  standIns.answers.set(getRecord.subject, json({ result: {} }));
  const params = { name: toolName(getRecord.id), arguments: {}, _meta: { traceparent } };
  await new McpClient(harness, harness.token, headers).legacy('tools/call', params);
  // The gateway may begin a read before grants has authorized it.
  const subjects = new Set(standIns.received.map(({ subject }) => subject));
  expect(subjects).toEqual(new Set([authorize.subject, getRecord.subject]));
  const traces = new Set(standIns.received.map((request) => request.traceparent.slice(3, 35)));
  expect([...traces]).toEqual([expect.stringMatching(traceId)]);
});

test.each([
  ['drafted', undefined],
  ['failed', true],
  ['unknown', true],
])('a draft with the status %s has isError %s', async (status, isError) => {
  const result = { ...(sendEmail.exampleResult as object), status };
  standIns.answers.set(sendEmail.subject, json({ result }));
  const answer = await new McpClient(harness, harness.token).call(sendEmail, sendEmail.example);
  expect(answer.isError).toBe(isError);
  expect([jsonIn(answer), answer.structuredContent]).toEqual([{ result }, { result }]);
});
