import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { pushRecord } from '@action-platform/contracts/operations';
import { expect, test } from '@jest/globals';
import { RawConnection } from './raw-http.ts';
import { gatewayWithStandIns } from './stand-ins.ts';

const { harness, standIns } = gatewayWithStandIns([pushRecord], { REQUEST_DEADLINE_MS: '30000' });

test('a body costs the memory of its bytes, though each of them arrives alone', async () => {
  const connection = await RawConnection.open(harness.url);
  const chunked = { 'Transfer-Encoding': 'chunked', Connection: 'close' };
  connection.call(pushRecord, harness.token, '', chunked);
  const before = memoryUsed();
  let most = 0;
  const text = 'x'.repeat(150_000);
  const pieces = '1\r\nx\r\n'.repeat(1_000);
  for (let sent = 0; sent < text.length; sent += 1_000) {
    if (!connection.socket.write(pieces)) await once(connection.socket, 'drain');
    // The stand-ins, in this process too, answer liveness probes in time.
    await setImmediate();
    if (sent % 50_000 === 0) most = Math.max(most, memoryUsed() - before);
  }
  most = Math.max(most, memoryUsed() - before);
  connection.write('0\r\n\r\n');
  expect((await connection.answer()).status).toBe(200);
  expect(standIns.asked(pushRecord.subject).map(({ body }) => body === text)).toEqual([true]);
  // A chunk for each byte would take 100 bytes, in all 15 MB.
  expect(most).toBeLessThan(9_000_000);
});

test('an answered request holds no memory of its body, though its connection stays open', async () => {
  const body = JSON.stringify({ text: 'x'.repeat(200_000) });
  const connections: RawConnection[] = [];
  const push = async () => {
    const connection = await RawConnection.open(harness.url);
    connections.push(connection);
    connection.call(pushRecord, harness.token, body);
    await connection.receives(/\r\n\r\n/);
  };
  await push();
  standIns.received.length = 0;
  const before = memoryUsed();
  for (let count = 0; count < 50; count++) await push();
  expect(connections.map(({ received }) => received.slice(9, 12))).toEqual(Array(51).fill('200'));
  standIns.received.length = 0;
  expect(memoryUsed() - before).toBeLessThan(5_000_000);
  for (const { socket } of connections) socket.destroy();
});

// Only this flag exposes the collector in a process that was started without it.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The live heap of this process, in bytes. */
function memoryUsed(): number {
  collectGarbage();
  // The first collection may free array buffers in the background.
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
