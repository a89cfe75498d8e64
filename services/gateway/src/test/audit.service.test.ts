import { setTimeout as delay } from 'node:timers/promises';
import { busHeaders } from '@action-platform/contracts/bus';
import { ActionError } from '@action-platform/contracts/errors';
import { newId } from '@action-platform/contracts/ids';
import {
  archiveRecord,
  createCollection,
  createDraft,
  listEntries,
  listEvents,
  patchRecord,
  pushRecord,
} from '@action-platform/contracts/operations';
import { anOwner } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { z } from 'zod';
import { GatewayHarness, type TestWorkspace } from './harness.ts';
import { RawConnection } from './raw-http.ts';
import { json } from './stand-ins.ts';

const harness = new GatewayHarness();
let workspace: TestWorkspace;
let gateway: Awaited<ReturnType<GatewayHarness['start']>>;

beforeAll(async () => {
  const { platform } = harness;
  await platform.startBeside('grants', 'audit');
  gateway = await harness.start();
  workspace = await harness.newWorkspace();
});
afterAll(() => harness.stop());

/** The entries of an operation, as soon as there is one. */
const entriesOf = (operation_id: string) => entriesWith({ operation_id });

/** The entries that a filter finds, as soon as there is one. */
async function entriesWith(filter: z.input<typeof listEntries.input>) {
  const owner = anOwner({ workspaceId: workspace.id });
  for (;;) {
    const { result } = await harness.platform.call(listEntries, owner, filter);
    if (result.entries.length > 0) return result.entries;
    await delay(100);
  }
}

test('a write whose caller has left before its answer has an entry that says so', async () => {
  const [asked, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const bus = await harness.platform.connect('record-store');
  bus.serve(pushRecord.subject, 'record-store', async (request) => {
    request.signal.addEventListener('abort', () => left.resolve());
    asked.resolve();
    await left.promise;
    return json({ result: pushRecord.exampleResult });
  });
  await bus.flush();
  const connection = await RawConnection.open(harness.url);
  connection.call(pushRecord, workspace.owner.token, JSON.stringify(pushRecord.example));
  await asked.promise;
  connection.socket.destroy();
  expect(await entriesOf(pushRecord.id)).toMatchObject([{ user_id: 'olga', answered: false }]);
});

test('a write that is refused while its body still arrives is answered', async () => {
  const connection = await RawConnection.open(harness.url);
  connection.call(archiveRecord, workspace.owner.token, '', { 'Content-Length': 3 * 1024 * 1024 });
  await connection.refusal('request_body_too_large');
  expect(await entriesOf(archiveRecord.id)).toMatchObject([
    { code: 'request_body_too_large', answered: true },
  ]);
});

test('a write that was answered with 200, and has an unknown outcome, is found by that', async () => {
  const bus = await harness.platform.connect('procedures');
  bus.serve(createDraft.subject, 'procedures', async () => ({
    ...json({ result: createDraft.exampleResult }),
    headers: { [busHeaders.outcome]: 'unknown' },
  }));
  await bus.flush();
  await harness.execute(workspace.owner.token, createDraft, createDraft.example);
  const expected = { code: 'ok', status: 200, outcome: 'unknown' };
  expect(await entriesOf(createDraft.id)).toMatchObject([expected]);
  const owner = anOwner({ workspaceId: workspace.id });
  const found = async (outcome: string) =>
    (await harness.platform.call(listEntries, owner, { operation_id: createDraft.id, outcome })).result
      .entries;
  expect(await found('unknown')).toMatchObject([expected]);
  expect(await found('failed')).toEqual([]);
});

test('the first call that waits for an approval has an entry, also when 60 calls have waited for another one', async () => {
  const bus = await harness.platform.connect('record-store');
  let approvalId = newId('approval');
  bus.serve(patchRecord.subject, 'record-store', async () => ({
    ...json(new ActionError('operation_approval_required', { approvalId }).toEnvelope(''), 403),
    headers: { [busHeaders.approvalId]: approvalId, [busHeaders.targets]: approvalId },
  }));
  await bus.flush();
  const call = () => harness.execute(workspace.owner.token, patchRecord, patchRecord.example);
  for (let n = 0; n < 61; n++) await call();
  approvalId = newId('approval');
  await call();
  expect(await entriesWith({ target_id: approvalId })).toMatchObject([{ targets: [approvalId] }]);
});

test('a call of a run is found by the invocation id, in any letters and of any permitted length', async () => {
  const { body } = await harness.http
    .post('/api/v1/routine-grants')
    .auth(workspace.owner.token, { type: 'bearer' })
    .send({
      ...{ name: 'job', operations: [createDraft.id] },
      maximumCadence: { invocations: 1, periodSeconds: 60 },
      expiresAt: new Date(Date.now() + 60_000).toISOString(),
    });
  const run = '🌙'.repeat(200);
  const connection = await RawConnection.open(harness.url);
  const headers = { 'x-routine-invocation-id': run, Connection: 'close' };
  connection.call(createDraft, body.secret, JSON.stringify(createDraft.example), headers);
  await connection.answer();
  expect(await entriesWith({ invocation_id: run })).toMatchObject([{ grant_id: body.grant.id }]);
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

test('a gateway that stops ends a stream that backs off, and then sends its last entries', async () => {
  let asked = 0;
  const bus = await harness.platform.connect('events');
  bus.serve(listEvents.subject, 'events', async () => {
    const page = {
      ...json({ result: { events: [], next_cursor: '' } }),
      headers: { [busHeaders.feed]: '{"count":0}' },
    };
    const busy = json(new ActionError('action_platform_unavailable').toEnvelope(''), 503);
    return asked++ === 0 ? page : { ...busy, headers: { [busHeaders.retryAfter]: '60' } };
  });
  await bus.flush();
  const stopping = await harness.spawn({});
  const connection = await RawConnection.open(harness.url);
  connection.request('GET /api/v1/events', { Authorization: `Bearer ${workspace.member.token}` });
  await connection.receives(/: busy/);
  stopping.signal('SIGTERM');
  expect(await stopping.exited).toBe(0);
  expect(await entriesOf(listEvents.id)).toContainEqual(
    expect.objectContaining({ user_id: 'mika', code: 'ok' }),
  );
});
