import { setTimeout as delay } from 'node:timers/promises';
import { discover, findCustomOperation } from '@action-platform/contracts/calls';
import { beforeEach, expect, test } from '@jest/globals';
import { definition } from './custom-definition.ts';
import { expectError } from './harness.ts';
import { gatewayWithStandIns, json } from './stand-ins.ts';

const BUDGET = 6 * 1024 * 1024;
const { harness, standIns } = gatewayWithStandIns([], { GATEWAY_MAX_BYTES_IN_FLIGHT: String(BUDGET) });

const DESCRIPTION = 'x'.repeat(45 * 1024);

/** How many custom operations each Workspace has, and the reads of their definitions. */
let counts: Record<string, number>;
let reads: { underWay: number; most: number };
let revision = 0;

beforeEach(() => {
  counts = {};
  reads = { underWay: 0, most: 0 };
  revision++;
  standIns.answers.set(discover.subject, async ({ body }) => {
    const { workspaceId } = JSON.parse(Buffer.from(body).toString()).credential;
    const ids = Array.from({ length: counts[workspaceId]! }, (_, n) => `custom.order_${n}`);
    const revisions = Object.fromEntries(ids.map((id) => [id, revision]));
    return json({ operations: ids, custom: { workspaceId, revisions } });
  });
  standIns.answers.set(findCustomOperation.subject, async ({ body }) => {
    const { id } = JSON.parse(Buffer.from(body).toString());
    reads.most = Math.max(reads.most, ++reads.underWay);
    await delay(5);
    reads.underWay--;
    return json({ ...definition, id, revision, inputSchema: { type: 'object', description: DESCRIPTION } });
  });
});

/** Lists the operations of a Workspace in a view, of which each has answers of its own. */
async function list(workspaceId: string, query = '') {
  const token = await harness.issuer.token({ workspaceId, userId: 'olga' });
  return await harness.http.get(`/api/v1/operations${query}`).auth(token, { type: 'bearer' });
}

test('the definitions of a list are read a few at once, in their order', async () => {
  counts = { ws_many: 99 };
  const { body } = await list('ws_many');
  expect(body.operations.map(({ id }: { id: string }) => id)).toEqual(
    Array.from({ length: 99 }, (_, n) => `custom.order_${n}`),
  );
  expect(reads.most).toBeLessThanOrEqual(4);
});

test('the definitions of many lists too; a short list of another Workspace is read between them', async () => {
  counts = { ws_many: 30, ws_few: 3 };
  const ended: string[] = [];
  const listed = async (workspaceId: string, query: string) => {
    expect((await list(workspaceId, query)).status).toBe(200);
    ended.push(workspaceId);
  };
  const long = ['', '?view=tools', '?view=openapi'].map((query) => listed('ws_many', query));
  while (reads.underWay === 0) await delay(1);
  await Promise.all([...long, listed('ws_few', '')]);
  expect(ended[0]).toBe('ws_few');
  expect(reads.most).toBeLessThanOrEqual(8);
});

test('a list that would exceed the byte budget is refused, and gives its bytes back', async () => {
  counts = { ws_large: 300, ws_many: 99 };
  expectError(await list('ws_large'), 'action_platform_unavailable');
  expect((await list('ws_many')).status).toBe(200);
});
