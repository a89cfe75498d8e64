import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { breakableLine } from './test-support/breakable-line.ts';
import { ok, subject, TestConnections, text } from './test-support/test-connections.ts';

const buses = new TestConnections();

beforeAll(() => buses.start());
afterAll(() => buses.stop());

test('a server that goes again and again while it lets a client in keeps nobody waiting for their time limit', async () => {
  const service = await buses.connect('record-store');
  service.serve(subject, 'record-store', async () => ok('here'));
  await service.flush();
  const line = await breakableLine(buses.url);
  const gateway = await buses.connect('gateway', { url: line.url });
  line.breakHandshakes(4);
  line.breakAll();
  // Each handshake would take two seconds to be given up.
  const asked = gateway.request(subject, '', { timeoutMs: 6_000, effect: 'read' });
  expect(text((await asked).body)).toBe('here');
  await Promise.all([service.drain(), gateway.drain()]);
  await line.close();
});
