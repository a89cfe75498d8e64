import { createCollection, listRecords, pushRecord } from '@action-platform/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectError, GatewayHarness, type TestWorkspace } from './harness.ts';
import { RawConnection } from './raw-http.ts';

const harness = new GatewayHarness();
let workspace: TestWorkspace;
let collectionId: string;

beforeAll(async () => {
  const { platform } = harness;
  await Promise.all([platform.spawn('grants'), platform.spawn('record-store'), harness.start()]);
  workspace = await harness.newWorkspace();
  const created = await harness.execute(workspace.owner.token, createCollection, { name: 'notes' });
  collectionId = created.body.result.collection.id;
});
afterAll(() => harness.stop());

/** Creates a routine grant that allows one run a day. */
async function createGrant(): Promise<{ id: string; secret: string }> {
  const created = await harness.http
    .post('/api/v1/routine-grants')
    .auth(workspace.owner.token, { type: 'bearer' })
    .send({
      name: 'Nightly import',
      operations: [pushRecord.id],
      data: { collectionIds: [collectionId] },
      maximumCadence: { invocations: 1, periodSeconds: 86_400 },
      expiresAt: new Date(Date.now() + 60_000).toISOString(),
    });
  expect(created.status).toBe(201);
  return { id: created.body.grant.id, secret: created.body.secret };
}

/** Begins a call with half of its body, once the gateway has answered 100 Continue. */
async function beginPush(secret: string, key: string) {
  const body = JSON.stringify({ collection_id: collectionId, payload: { key }, idempotency_key: key });
  const connection = await RawConnection.open(harness.url);
  connection.request(`POST /api/v1/operations/${pushRecord.id}`, {
    Authorization: `Bearer ${secret}`,
    'x-routine-invocation-id': 'first',
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    Expect: '100-continue',
    Connection: 'close',
  });
  await connection.receives(/100 Continue\r\n\r\n/);
  connection.received = '';
  connection.write(body.slice(0, 10));
  return { connection, complete: () => connection.write(body.slice(10)) };
}

test('a revocation that was acknowledged stops a call whose body is still arriving', async () => {
  const { id, secret } = await createGrant();
  const { connection, complete } = await beginPush(secret, 'revoked');
  const revoked = await harness.http
    .delete(`/api/v1/routine-grants/${id}`)
    .auth(workspace.owner.token, { type: 'bearer' });
  expect(revoked.status).toBe(200);
  complete();
  await connection.refusal('grant_revoked');
  const listed = await harness.execute(workspace.owner.token, listRecords, { collection_id: collectionId });
  expect(listed.body.result.records).toEqual([]);
});

test('a run counts once, though its body arrived in two pieces', async () => {
  const { secret } = await createGrant();
  const { connection, complete } = await beginPush(secret, 'counted');
  complete();
  expect((await connection.answer()).status).toBe(200);
  const push = (run: string) =>
    harness
      .execute(secret, pushRecord, { collection_id: collectionId, payload: {} })
      .set('x-routine-invocation-id', run);
  expect((await push('first')).status).toBe(200);
  expectError(await push('second'), 'grant_cadence_exceeded');
});
