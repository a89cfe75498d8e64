import { once } from 'node:events';
import { authorize, getRecord, operationSubject } from '@action-platform/contracts';
import { anOwner } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { GatewayHarness } from './harness.ts';
import { RawConnection } from './raw-http.ts';
import { json, StandIns } from './stand-ins.ts';

const MOST = 20;
const harness = new GatewayHarness();
const standIns = new StandIns();
const answering = Promise.withResolvers<void>();
let token: string;

beforeAll(async () => {
  await harness.start({ GATEWAY_MAX_CONNECTIONS: String(MOST) });
  await standIns.start(harness.platform, [getRecord]);
  token = await harness.issuer.token({ workspaceId: 'ws_1', userId: 'olga' });
  standIns.answers.set(authorize.subject, json(anOwner()));
  standIns.answers.set(operationSubject(getRecord), async () => {
    await answering.promise;
    return json({ result: {} });
  });
});
afterAll(() => harness.stop());

test('whoever opens very many connections closes their own, and none that is used', async () => {
  const used = await RawConnection.open(harness.url);
  used.request(
    `POST /api/v1/operations/${getRecord.id}`,
    { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'Content-Length': 2 },
    '{}',
  );
  while (standIns.asked(operationSubject(getRecord)).length === 0) await new Promise(setImmediate);

  const hostile: RawConnection[] = [];
  for (let i = 0; i < 3 * MOST; i++) {
    const connection = await RawConnection.open(harness.url);
    // Half a head, and nothing more.
    connection.write('GET /livez HTTP/1.1\r\nHost: ');
    hostile.push(connection);
  }
  const closed = hostile.slice(0, 2 * MOST).map(({ socket }) => socket.closed || once(socket, 'close'));
  await Promise.all(closed);
  expect(hostile.at(-1)!.socket.closed).toBe(false);

  expect((await harness.http.get('/livez')).status).toBe(200);
  answering.resolve();
  await used.receives(/HTTP\/1\.1 200 /);
  for (const { socket } of [used, ...hostile]) socket.destroy();
});
