import { setTimeout as delay } from 'node:timers/promises';
import { webhookRoutes } from '@action-platform/contracts/resources';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { TestWebhooks } from '../../test-support/test-webhooks.ts';
import type { StoredEndpoint } from '../endpoints/stored-endpoint.ts';
import type { StoredDelivery } from './stored-delivery.ts';

jest.setTimeout(240_000);

const HOUR_MS = 3_600_000;

const webhooks = new TestWebhooks();
beforeAll(() => webhooks.start());
afterAll(() => webhooks.stop());

/** The collections of the service. */
async function stored() {
  const { db } = await webhooks.platform.database('events');
  return {
    endpoints: db.collection<StoredEndpoint>('webhook_endpoints'),
    deliveries: db.collection<StoredDelivery>('webhook_deliveries'),
  };
}

test('a delivery that ends its process waits longer each time, counts as interrupted, and holds up no other', async () => {
  let replica = await webhooks.spawnReplica();
  const [poisoned, honest] = ['ws_poisoned', 'ws_honest'];
  const endpointIn = async (workspaceId: string) => {
    webhooks.workspaceId = workspaceId;
    return (await webhooks.create()).endpoint;
  };
  await endpointIn(honest);
  const { id } = await endpointIn(poisoned);
  webhooks.answer = ({ event }, response) =>
    event.source.includes(poisoned) ? replica.signal('SIGKILL') : response.writeHead(204).end();
  const { endpoints, deliveries } = await stored();
  const of = (workspaceId: string) =>
    webhooks.received.filter(({ event }) => event.source.includes(workspaceId)).length;
  let commits = 0;
  const othersGoOn = async () => {
    webhooks.workspaceId = honest;
    await webhooks.publish([`rec_${++commits}`, 1]);
    while (of(honest) < commits) await delay(20);
  };
  const rowsOf = async () => {
    webhooks.workspaceId = poisoned;
    return (await webhooks.call(webhookRoutes.deliveries, { id })).deliveries;
  };
  /** Has all waits end at a time. */
  const wait = async (until: Date) => {
    const ended = { due_at: until, 'claim.until': until };
    const filter = { workspace_id: poisoned, due_at: { $exists: true } };
    await deliveries.updateMany({ ...filter, claim: { $exists: true } }, { $set: ended });
    await deliveries.updateMany({ ...filter, claim: { $exists: false } }, { $set: { due_at: until } });
    await endpoints.updateOne({ _id: id, lease: { $exists: true } }, { $set: { 'lease.until': until } });
  };
  const expire = () => wait(new Date(1));

  await othersGoOn();
  webhooks.workspaceId = poisoned;
  await webhooks.publish(['rec_1', 1]);
  const waits: number[] = [];
  const warnings: string[] = [];
  for (let crashes = 1; crashes <= 3; crashes++) {
    expect(await replica.exited).toBe('SIGKILL');
    expect(of(poisoned)).toBe(crashes);
    const { lease } = (await endpoints.findOne({ _id: id }))!;
    waits.push(Math.round((lease!.until.getTime() - Date.now()) / 20_000));
    await wait(new Date(Date.now() + HOUR_MS));
    replica = await webhooks.spawnReplica();
    // Another event of the endpoint ends no process meanwhile.
    if (crashes === 1) {
      webhooks.workspaceId = poisoned;
      await webhooks.publish(['rec_2', 1]);
      const isPutOff = {
        lane: 'rec_2',
        claim: { $exists: false },
        $expr: { $gt: ['$due_at', { $add: ['$queued_at', 4_000] }] },
      };
      while ((await deliveries.deleteOne(isPutOff)).deletedCount === 0) await delay(20);
    }
    await othersGoOn();
    await expire();
    for (let found = 0; found < crashes; ) {
      found = (await rowsOf())[0]!.attempts.length;
      await delay(20);
    }
    warnings.push(...replica.lines.filter((line) => line.includes('"level":"warn"')));
    if (crashes < 3) await expire();
  }
  expect(waits).toEqual([1, 2, 4]);
  const [row] = await rowsOf();
  expect(row).toMatchObject({ status: 'waiting', nextAttemptAt: expect.any(String) });
  const interrupted = { at: expect.any(String), failure: 'interrupted', ms: expect.any(Number) };
  expect(row!.attempts).toEqual([interrupted, interrupted, interrupted]);
  const named = warnings.filter((line) => line.includes(`"delivery_id":"${id}/${row!.id}"`));
  expect(named).toHaveLength(3);
});
