import { setTimeout as delay } from 'node:timers/promises';
import { getRecord, getRecordHistory, type Operation } from '@action-platform/contracts/operations';
import { expect, test } from '@jest/globals';
import { RawConnection } from './raw-http.ts';
import { gatewayWithStandIns, json } from './stand-ins.ts';

const STALL_MS = 400;
const PLACES = 2;

const { harness, standIns } = gatewayWithStandIns([getRecord, getRecordHistory], {
  ANSWER_STALL_MS: String(STALL_MS),
  GATEWAY_MAX_IN_FLIGHT: String(PLACES),
});

/** A caller that sends a request several times on one connection and reads no answer. */
async function callerThatDoesNotRead(operation: Operation, times = 1): Promise<RawConnection> {
  const connection = await RawConnection.open(harness.url);
  connection.socket.pause();
  for (let asked = 0; asked < times; asked++) connection.call(operation, harness.token);
  return connection;
}

/** Resolves once the gateway has closed a connection; a caller that does not read finds out by sending. */
async function isCut({ socket }: RawConnection): Promise<void> {
  while (!socket.closed) {
    socket.write('\r\n');
    await delay(STALL_MS / 10);
  }
}

test('callers that do not read a long answer lose their connections, and its source stops', async () => {
  const begun: string[] = [];
  const ended: string[] = [];
  standIns.answers.set(getRecordHistory.subject, async () => ({ status: 200, body: endless() }));
  async function* endless() {
    begun.push('source');
    try {
      for (;;) yield Buffer.alloc(200_000, 'x');
    } finally {
      ended.push('source');
    }
  }
  const callers = await Promise.all(
    Array.from({ length: PLACES }, () => callerThatDoesNotRead(getRecordHistory)),
  );
  await Promise.all(callers.map(isCut));
  expect(begun).toHaveLength(PLACES);
  while (ended.length < PLACES) await delay(10);
  expect((await harness.execute(harness.token, getRecord, {})).status).toBe(200);
});

test('a connection stays open while the service of its answer pauses', async () => {
  standIns.answers.set(getRecordHistory.subject, async () => ({ status: 200, body: slow() }));
  async function* slow() {
    yield Buffer.from('{"result":');
    await delay(2 * STALL_MS);
    yield Buffer.from('null}');
    yield Buffer.from('\n');
  }
  expect((await harness.execute(harness.token, getRecordHistory, {})).body).toEqual({ result: null });
});

test('a slow caller receives its whole answer', async () => {
  await harness.startAnother({ ANSWER_STALL_MS: '2000' });
  const megabyte = 1024 * 1024;
  const total = 24 * megabyte;
  standIns.answers.set(getRecordHistory.subject, async () => ({
    status: 200,
    body: Buffer.alloc(total, 'x'),
  }));
  const { socket } = await callerThatDoesNotRead(getRecordHistory);
  // In all longer than ANSWER_STALL_MS.
  for (let read = 0; read < total && !socket.closed; read += megabyte) {
    socket.resume();
    while (socket.bytesRead < read && !socket.closed) await new Promise(setImmediate);
    socket.pause();
    await delay(100);
  }
  socket.resume();
  while (socket.bytesRead < total && !socket.closed) await delay(10);
  expect(socket.bytesRead).toBeGreaterThanOrEqual(total);
  socket.destroy();
});

test('the gateway closes the connection of a caller that sends many requests and reads no answer', async () => {
  // All requests fit the limit of the gateway, and together the answers exceed the buffers of the operating system.
  await harness.startAnother({ ANSWER_STALL_MS: String(STALL_MS) });
  standIns.answers.set(getRecord.subject, json({ result: 'x'.repeat(200_000) }));
  await isCut(await callerThatDoesNotRead(getRecord, 100));
});
