import { connect } from 'node:net';
import { createCollection, pushRecord } from '@action-platform/contracts';
import type { TestProcess } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectError, GatewayHarness, type TestWorkspace } from './harness.ts';

/** Short, as some calls below wait for it, and long enough for a busy machine to answer the others. */
const REQUEST_DEADLINE_MS = 1_200;
const harness = new GatewayHarness();
let grants: TestProcess;
let recordStore: TestProcess;
let workspace: TestWorkspace;
let collectionId: string;

beforeAll(async () => {
  [grants, recordStore] = await Promise.all([
    harness.platform.spawn('grants'),
    harness.platform.spawn('record-store'),
    harness.start({ REQUEST_DEADLINE_MS: String(REQUEST_DEADLINE_MS), GATEWAY_MAX_IN_FLIGHT: '8' }),
  ]);
  workspace = await harness.newWorkspace();
  const created = await harness.execute(workspace.owner.token, createCollection, { name: 'notes' });
  collectionId = created.body.result.collection.id;
});
afterAll(() => harness.stop());

const push = (key: string) =>
  harness.execute(workspace.owner.token, pushRecord, {
    collection_id: collectionId,
    payload: { key },
    idempotency_key: key,
  });

describe('when a service hangs', () => {
  test('the outcome of a dispatched call is unknown, and a retry with its key settles it', async () => {
    recordStore.signal('SIGSTOP');
    expectError(await push('hanging'), 'action_infrastructure_failure');
    recordStore.signal('SIGCONT');
    let settled = await push('hanging');
    while (settled.status !== 200) settled = await push('hanging');
    expect(settled.body.result.record.version).toBe(1);
  });

  test('requests over the limit get 503 with Retry-After at once, and health checks an answer', async () => {
    recordStore.signal('SIGSTOP');
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => push(`concurrent-${index}`)));
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused).toHaveLength(4);
    for (const answer of refused) expectError(answer, 'action_platform_unavailable');
    expect((await harness.http.get('/livez')).status).toBe(200);
    recordStore.signal('SIGCONT');
    while ((await push('concurrent')).status !== 200);
  });

  test('the gateway ignores requests pipelined behind a 503', async () => {
    recordStore.signal('SIGSTOP');
    const concurrent = Array.from({ length: 12 }, (_, index) => push(`ahead-${index}`));
    expectError(await Promise.race(concurrent), 'action_platform_unavailable');
    const call = [
      `POST /api/v1/operations/${pushRecord.id} HTTP/1.1`,
      'Host: gateway',
      `Authorization: Bearer ${workspace.owner.token}`,
      'Content-Type: application/json',
      'Content-Length: 2',
      '',
      '{}',
    ].join('\r\n');
    const socket = connect(Number(new URL(harness.url).port), '127.0.0.1');
    socket.write(call.repeat(30));
    let answers = '';
    for await (const chunk of socket) answers += chunk;
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 503']);
    recordStore.signal('SIGCONT');
    await Promise.all(concurrent);
    while ((await push('concurrent')).status !== 200);
  });

  test('a call that could not be authorized was not begun', async () => {
    grants.signal('SIGSTOP');
    expectError(await push('unauthorized'), 'action_platform_unavailable');
    const ready = await harness.http.get('/readyz');
    expect(expectError(ready, 'action_platform_unavailable').message).toContain('grants');
    grants.signal('SIGCONT');
    while ((await push('unauthorized')).status !== 200);
  });
});

describe('when a service dies', () => {
  test('calls get the error that nothing was done, until it runs again', async () => {
    recordStore.signal('SIGKILL');
    await recordStore.exited;
    let refused = await push('dead');
    // The NATS server may need a moment to notice; until then the outcome counts as unknown.
    while (refused.status === 502) refused = await push('dead');
    expectError(refused, 'action_platform_unavailable');
    await harness.platform.spawn('record-store');
    expect((await push('dead')).status).toBe(200);
  });
});

describe('when a body arrives too slowly', () => {
  test('nothing is begun', async () => {
    const { port } = new URL(harness.url);
    const body = JSON.stringify({ collection_id: collectionId, payload: {}, idempotency_key: 'slow' });
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      [
        `POST /api/v1/operations/${pushRecord.id} HTTP/1.1`,
        'Host: gateway',
        `Authorization: Bearer ${workspace.owner.token}`,
        'Content-Type: application/json',
        'Connection: close',
        `Content-Length: ${body.length}`,
        '',
        body.slice(0, 10),
      ].join('\r\n'),
    );
    await new Promise((resolve) => setTimeout(resolve, REQUEST_DEADLINE_MS + 100));
    socket.write(body.slice(10));
    let answer = '';
    for await (const chunk of socket) answer += chunk;
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*took too long/s);
    expect((await push('slow')).headers).not.toHaveProperty('idempotent-replayed');
  });
});
