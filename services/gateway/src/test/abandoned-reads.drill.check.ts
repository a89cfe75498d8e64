import {
  createCollection,
  getRecordHistory,
  pushRecord,
  replaceRecord,
} from '@action-platform/contracts/operations';
import { beforeAll, expect, test } from '@jest/globals';
import { runningGateway } from './harness.ts';
import { RawConnection } from './raw-http.ts';

const { harness } = runningGateway([], { REQUEST_DEADLINE_MS: '30000' });
beforeAll(async () => {
  await harness.platform.spawn('grants');
});

test('histories whose callers leave in the middle cost record-store little memory', async () => {
  const service = await harness.platform.spawn('record-store');
  const { owner } = await harness.newWorkspace();
  const result = async (...call: Parameters<typeof harness.execute>) =>
    (await harness.execute(...call)).body.result;
  const { collection } = await result(owner.token, createCollection, { name: 'Things' });
  const payload = { text: 'x'.repeat(250_000) };
  const { record } = await result(owner.token, pushRecord, { collection_id: collection.id, payload });
  const named = { collection_id: collection.id, record_id: record.id };
  for (let version = 2; version <= 34; version++) {
    await result(owner.token, replaceRecord, { ...named, payload });
  }

  const abandon = async () => {
    const connection = await RawConnection.open(harness.url);
    connection.call(getRecordHistory, owner.token, JSON.stringify(named));
    await connection.receives(/"(revisions|error)":/);
    connection.socket.destroy();
  };
  const before = service.residentMB();
  await Promise.all(Array.from({ length: 80 }, abandon));
  // 8 MiB for each concurrent history would be 640 MB, and as much again for the text.
  expect(service.residentMB() - before).toBeLessThan(350);
});
