import { setTimeout as delay } from 'node:timers/promises';
import { CALL_ANSWER_MAX_BYTES, type ErrorCode, findCollections } from '@action-platform/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Bus } from './bus.ts';
import { callService } from './call-service.ts';
import type { BusAnswer } from './serve/server.ts';
import { ok, TestConnections } from './test-support/test-connections.ts';

const buses = new TestConnections();
let grants: Bus;
let answer: BusAnswer;

beforeAll(async () => {
  await buses.start();
  const recordStore = await buses.connect('record-store');
  grants = await buses.connect('grants');
  recordStore.serve(findCollections.subject, 'record-store', async () => answer);
  await recordStore.flush();
});
afterAll(() => buses.stop());

const find = (timeoutMs = 5_000) =>
  callService(grants, findCollections, { workspaceId: 'ws_1', ids: [] }, { timeoutMs });

const unavailable = { code: 'action_platform_unavailable' satisfies ErrorCode };

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

  test('is a failure when it is not UTF-8', async () => {
    answer = {
      status: 200,
      body: Buffer.concat([Buffer.from('{"found":["'), Buffer.of(0xff), Buffer.from('"]}')]),
    };
    await expect(find()).rejects.toMatchObject(unavailable);
  });

  test('is a failure when it exceeds the largest size', async () => {
    answer = ok(JSON.stringify({ found: ['x'.repeat(CALL_ANSWER_MAX_BYTES)] }));
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
