import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { freePort } from './port.ts';

test('the port is free, outside the range of outgoing connections, and the preferred one if possible', async () => {
  const port = await freePort();
  expect(port).toBeGreaterThanOrEqual(10_000);
  expect(port).toBeLessThan(32_000);
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  expect(await freePort(port)).not.toBe(port);
  server.close();
  await once(server, 'close');
  expect(await freePort(port)).toBe(port);
});
