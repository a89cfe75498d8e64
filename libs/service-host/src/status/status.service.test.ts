import { statusSurvey } from '@action-platform/contracts/bus';
import { getRecord } from '@action-platform/contracts/operations';
import { anOwner, FailingMongod, TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { commonConfig } from '../process/config.ts';
import type { ServiceDefinition } from '../process/service.ts';
import { serveOperation } from '../serving/serve.ts';

let mongod: FailingMongod;
let platform: TestPlatform;
beforeAll(async () => {
  mongod = await FailingMongod.start();
  platform = new TestPlatform({ mongodbUrl: mongod.url });
  await platform.start(service);
});
afterAll(async () => {
  await platform.stop();
  await mongod.stop();
});

const called = Promise.withResolvers<void>();
const released = Promise.withResolvers<void>();

const service: ServiceDefinition = {
  name: 'record-store',
  config: commonConfig,
  isPartial: true,
  start: async ({ openDatabase }) => {
    await openDatabase();
    return {
      calls: [
        serveOperation(getRecord, async ({ record_id }) => {
          if (record_id === 'broken') throw new Error('as broken things do');
          called.resolve();
          await released.promise;
          return {} as never;
        }),
      ],
    };
  },
};

const call = (record_id: string) =>
  platform.call(getRecord, anOwner(), { collection_id: 'col_1', record_id });

async function status() {
  const admin = await platform.connect('admin');
  const answers = await admin.survey(statusSurvey, { timeoutMs: 10_000, isComplete: () => true });
  return answers[0]!;
}

test('a replica reports its identity, its state and the outcomes of its calls', async () => {
  const slow = call('slow');
  await called.promise;
  await call('broken');
  const answer = await status();
  expect(answer).toMatchObject({
    service: 'record-store',
    state: 'ok',
    missing: [],
    pid: process.pid,
    in_flight: 1,
    recent: { answered: 1, failed: 1, p99_ms: expect.any(Number) },
    bus_ms: expect.any(Number),
    database_ms: expect.any(Number),
  });
  expect(Date.parse(answer.started_at)).toBeLessThan(Date.now());
  released.resolve();
  await slow;
  expect(await status()).toMatchObject({ in_flight: 0, recent: { answered: 2, failed: 1 } });
});

test('a replica reports a database that does not answer', async () => {
  const failing = { command: 'ping', failure: { errorCode: 91 } };
  const answer = await mongod.whileFailing(failing, status);
  expect(answer).toMatchObject({ state: 'not ready', missing: ['database'], database_ms: null });
  expect(await status()).toMatchObject({ state: 'ok', missing: [] });
});
