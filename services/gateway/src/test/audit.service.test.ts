import { setTimeout as delay } from 'node:timers/promises';
import { createCollection, listEntries, operationSubject, pushRecord } from '@action-platform/contracts';
import { anOwner } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { GatewayHarness, type TestWorkspace } from './harness.ts';
import { RawConnection } from './raw-http.ts';
import { json } from './stand-ins.ts';

const harness = new GatewayHarness();
let workspace: TestWorkspace;
let gateway: Awaited<ReturnType<GatewayHarness['start']>>;

beforeAll(async () => {
  const { platform } = harness;
  await Promise.all([platform.spawn('grants'), platform.spawn('audit')]);
  gateway = await harness.start();
  workspace = await harness.newWorkspace();
});
afterAll(() => harness.stop());

/** The entries of an operation, as soon as there is one. */
async function entriesOf(operation_id: string) {
  const owner = anOwner({ workspaceId: workspace.id });
  for (;;) {
    const { result } = await harness.platform.call(listEntries, owner, { operation_id });
    if (result.entries.length > 0) return result.entries;
    await delay(100);
  }
}

test('a write whose caller has left before its answer has an entry that says so', async () => {
  const [asked, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const bus = await harness.platform.connect('record-store');
  bus.serve(operationSubject(pushRecord), 'record-store', async (request) => {
    request.signal.addEventListener('abort', () => left.resolve());
    asked.resolve();
    await left.promise;
    return json({ result: pushRecord.exampleResult });
  });
  await bus.flush();
  const body = JSON.stringify(pushRecord.example);
  const connection = await RawConnection.open(harness.url);
  const headers = {
    Authorization: `Bearer ${workspace.owner.token}`,
    'Content-Type': 'application/json',
    'Content-Length': body.length,
  };
  connection.request(`POST /api/v1/operations/${pushRecord.id}`, headers, body);
  await asked.promise;
  connection.socket.destroy();
  expect(await entriesOf(pushRecord.id)).toMatchObject([{ user_id: 'olga', answered: false }]);
});

test('a gateway that stops sends its last entries, and the reads that it counted', async () => {
  await harness.execute(workspace.member.token, createCollection, { name: 'x' });
  const listing = `/api/v1/operations`;
  await harness.http.get(listing).auth(workspace.member.token, { type: 'bearer' });
  await gateway.stop();
  expect(await entriesOf(createCollection.id)).toMatchObject([
    { user_id: 'mika', code: 'owner_role_required' },
  ]);
  expect(await entriesOf(`GET ${listing}`)).toMatchObject([{ user_id: 'mika', count: 1, code: 'ok' }]);
});
