import { setTimeout as delay } from 'node:timers/promises';
import { findCollections, knownMembers, removeMember } from '@action-platform/contracts/calls';
import type { ErrorCode } from '@action-platform/contracts/errors';
import { CALL_ANSWER_MAX_BYTES } from '@action-platform/contracts/limits';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { BusAnswer } from '../answer.ts';
import type { Bus } from '../bus.ts';
import { ok, TestConnections } from '../test-support/test-connections.ts';
import { callService } from './call-service.ts';

const buses = new TestConnections();
let grants: Bus;
let answer: BusAnswer;

beforeAll(async () => {
  const recordStore = await buses.connect('record-store');
  grants = await buses.connect('grants');
  recordStore.serve(findCollections.subject, 'record-store', async () => answer);
  await recordStore.flush();
});

const find = (timeoutMs = 5_000) =>
  callService(grants, findCollections, { workspaceId: 'ws_1', ids: [] }, { timeoutMs });

const unavailable = { code: 'action_platform_unavailable' satisfies ErrorCode };

test('without an answer, a call that reads did nothing, and one that writes has an unknown outcome', async () => {
  const [audit, admin] = [await buses.connect('audit'), await buses.connect('admin')];
  const hanging = await buses.connectRaw('grants');
  for (const { subject } of [knownMembers, removeMember])
    hanging.subscribe(subject, { queue: 'grants', callback: () => {} });
  await hanging.flush();
  const read = callService(audit, knownMembers, { workspace: 'ws_1', users: [] }, { timeoutMs: 50 });
  await expect(read).rejects.toMatchObject(unavailable);
  const written = callService(admin, removeMember, { workspace: 'ws_1', user: 'u' }, { timeoutMs: 50 });
  await expect(written).rejects.toMatchObject({ code: 'action_infrastructure_failure' });
});

describe('the answer to a call', () => {
  test('may have fields of a later version', async () => {
    answer = ok('{"found":["col_1"],"of_a_later_version":true}');
    expect(await find()).toMatchObject({ found: ['col_1'] });
  });

  test.each([
    '',
    'null',
    '[]',
    '{}',
    '{"found":null}',
    '{"found":{}}',
    '{"found":[{"$gt":""}]}',
    '{"found":[]',
  ])('is a failure when it does not match the schema of the call: %s', async (body) => {
    answer = ok(body);
    await expect(find()).rejects.toMatchObject(unavailable);
  });

  test.each([
    ['is not UTF-8', Buffer.from('{"found":["\xff"]}', 'latin1')],
    ['exceeds the largest size', Buffer.from(`{"found":["${'x'.repeat(CALL_ANSWER_MAX_BYTES)}"]}`)],
  ])('is a failure when it %s', async (_what, body) => {
    answer = { status: 200, body };
    await expect(find()).rejects.toMatchObject(unavailable);
  });

  test('is a failure when it is incomplete at the timeout, and the caller cancels it', async () => {
    const ended = Promise.withResolvers<void>();
    async function* dribbling() {
      try {
        for (;;) {
          yield Buffer.from(' ');
          await delay(20);
        }
      } finally {
        ended.resolve();
      }
    }
    answer = { status: 200, body: dribbling() };
    await expect(find(500)).rejects.toMatchObject(unavailable);
    await ended.promise;
  });
});
