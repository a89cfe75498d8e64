import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { busHeaders, storedEvent } from '@action-platform/contracts/bus';
import { authorize } from '@action-platform/contracts/calls';
import { listEvents, pushRecord } from '@action-platform/contracts/operations';
import { freePort } from '@action-platform/local-servers';
import { anOwner } from '@action-platform/testing';
import { describe, expect, test } from '@jest/globals';
import { RawConnection } from './raw-http.ts';
import { gatewayWithStandIns, json } from './stand-ins.ts';

const { harness, standIns } = gatewayWithStandIns([pushRecord, listEvents]);

test('a draining gateway still serves, closes each connection with its next answer, and resets none', async () => {
  const healthPort = await freePort();
  const gateway = await harness.spawn({ HEALTH_PORT: String(healthPort), SHUTDOWN_DELAY_MS: '2000' });
  const isReady = async () => (await fetch(`http://127.0.0.1:${healthPort}/readyz`)).status === 200;
  const { asked, release } = standIns.hold(pushRecord.subject);
  const underWay = await RawConnection.open(harness.url);
  underWay.call(pushRecord, harness.token);
  await asked;
  const [kept, idle, unused] = [
    await RawConnection.open(harness.url),
    await RawConnection.open(harness.url),
    await RawConnection.open(harness.url),
  ];
  const errors: Error[] = [];
  for (const connection of [underWay, kept, idle, unused]) {
    connection.socket.on('error', (error) => errors.push(error));
  }
  for (const connection of [kept, idle]) {
    connection.request('GET /livez', {});
    await connection.receives(/"ok"/);
    connection.received = '';
  }

  gateway.signal('SIGTERM');
  while (await isReady());
  kept.request('GET /livez', {});
  expect(await kept.answer()).toMatchObject({ status: 200, headers: { connection: 'close' } });
  const late = await RawConnection.open(harness.url);
  late.request('GET /readyz', {});
  expect((await late.refusal('action_platform_unavailable')).message).toBe(
    'Not ready: this gateway is about to stop.',
  );
  // The gateway closes idle connections after the delay, and without a reset.
  expect([idle, unused].map(({ socket }) => socket.closed)).toEqual([false, false]);
  for (const { socket } of [idle, unused]) if (!socket.closed) await once(socket, 'close');
  expect(underWay.received).toBe('');
  release();
  expect(await underWay.answer()).toMatchObject({ status: 200, headers: { connection: 'close' } });
  expect(await gateway.exited).toBe(0);
  expect(errors).toEqual([]);
});

test('a stopping gateway delivers an unread answer whole', async () => {
  const service = await harness.startAnother();
  const megabyte = Buffer.alloc(1024 * 1024, ' ');
  standIns.answers.set(pushRecord.subject, async () => ({
    status: 200,
    body: Buffer.concat(Array(8).fill(megabyte)),
  }));
  const slow = await RawConnection.open(harness.url);
  slow.socket.pause();
  slow.call(pushRecord, harness.token);
  while (slow.socket.bytesRead === 0) await setImmediate();
  const stopped = service.stop();
  slow.socket.resume();
  await once(slow.socket, 'close');
  expect(slow.received).toMatch(/\r\n0\r\n\r\n$/);
  await stopped;
});

test('a stop does not wait for idle connections', async () => {
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
  // This answer comes after the gateway accepted all of them.
  expect((await harness.http.get('/livez')).status).toBe(200);
  await service.stop();
  for (const { socket } of [unused, idle, begun, between]) if (!socket.closed) await once(socket, 'close');
});

describe('a call that waits for events', () => {
  /** The next page of the events: none up to this sequence of the stream. */
  const noneUpTo = (end: number) => ({
    ...json({ result: { events: [], next_cursor: 'next' } }),
    headers: { [busHeaders.feed]: JSON.stringify({ count: 0, end }) },
  });
  const subject = listEvents.subject;
  const wait = () =>
    harness.execute(harness.token, listEvents, { wait_seconds: 5 }).then(({ status }) => status);

  test('is answered when its gateway stops', async () => {
    const service = await harness.startAnother();
    standIns.answers.set(subject, noneUpTo(3));
    const waiting = wait();
    while (standIns.asked(subject).length === 0) await setImmediate();
    await service.stop();
    expect(await waiting).toBe(200);
    expect(standIns.asked(subject).length).toBeLessThan(5);
  });

  test('does not ask again and again after the stream was set back', async () => {
    await harness.startAnother();
    const bus = await harness.platform.connect('record-store');
    const owner = anOwner();
    standIns.answers.set(authorize.subject, json(owner));
    bus.publish(storedEvent, { stored: [{ workspace_id: owner.workspaceId, sequence: 1_000 }] });
    await bus.flush();
    standIns.answers.set(subject, noneUpTo(3));
    expect(await wait()).toBe(200);
    // The announcement counts for the first second; a reader who heeds it asks five times in each.
    expect(standIns.asked(subject).length).toBeLessThan(12);
  });
});
