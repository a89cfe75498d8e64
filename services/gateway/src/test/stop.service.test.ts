import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { authorize, operationSubject, pushRecord } from '@action-platform/contracts';
import { anOwner } from '@action-platform/testing';
import { afterAll, expect, test } from '@jest/globals';
import { GatewayHarness } from './harness.ts';
import { RawConnection } from './raw-http.ts';
import { json, StandIns } from './stand-ins.ts';

const harness = new GatewayHarness();
const standIns = new StandIns();
afterAll(() => harness.stop());

test('a stop waits for the call under way, and not for the connection that it came on', async () => {
  const service = await harness.start();
  await standIns.start(harness.platform, [pushRecord]);
  const dispatched = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  standIns.answers.set(authorize.subject, json(anOwner()));
  standIns.answers.set(operationSubject(pushRecord), async () => {
    dispatched.resolve();
    await released.promise;
    return json({ result: {} });
  });

  const agent = new Agent({ keepAlive: true });
  const headers = {
    Authorization: `Bearer ${await harness.issuer.token({ workspaceId: 'ws_1', userId: 'olga' })}`,
    'Content-Type': 'application/json',
  };
  const call = request(`${harness.url}/api/v1/operations/${pushRecord.id}`, {
    method: 'POST',
    agent,
    headers,
  });
  call.end('{}');
  const answered = once(call, 'response') as Promise<[IncomingMessage]>;
  await dispatched.promise;
  const stopped = service.stop();
  released.resolve();
  const [answer] = await answered;
  answer.resume();
  expect(answer.statusCode).toBe(200);
  expect(answer.headers.connection).toBe('close');
  await stopped;
  agent.destroy();
});

test('a stop does not wait for connections on which no request is under way', async () => {
  const service = await harness.startAnother();
  const unused = await RawConnection.open(harness.url);
  const idle = await RawConnection.open(harness.url);
  idle.request('GET /livez', {});
  await idle.receives(/"ok"/);
  const begun = await RawConnection.open(harness.url);
  begun.write('GET /livez HT');
  const between = await RawConnection.open(harness.url);
  between.request('GET /livez', {});
  await between.receives(/"ok"/);
  between.write('GET /livez HT');
  // Answered after all of those have been taken.
  expect((await harness.http.get('/livez')).status).toBe(200);
  await service.stop();
  for (const { socket } of [unused, idle, begun, between]) if (!socket.closed) await once(socket, 'close');
});
