import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { freePort } from '@action-platform/local-servers';
import { listen, TestPlatform } from '@action-platform/testing';
import { afterAll, expect, test } from '@jest/globals';
import { serviceOf } from '../test-support/serving.ts';

const platform = new TestPlatform();
afterAll(() => platform.stop());

test('the probes report that a service runs, is ready, and is about to stop', async () => {
  const port = await freePort();
  const ask = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: response.status, body: await response.json() };
  };
  const service = await platform.spawn('procedures', {
    HEALTH_PORT: String(port),
    SHUTDOWN_DELAY_MS: '1500',
  });
  expect(await ask('/livez')).toEqual({ status: 200, body: { status: 'ok' } });
  expect(await ask('/readyz')).toEqual({ status: 200, body: { status: 'ok' } });
  expect((await ask('/')).status).toBe(404);

  service.signal('SIGTERM');
  let ready = await ask('/readyz');
  while (ready.status === 200) ready = await ask('/readyz');
  expect(ready).toEqual({ status: 503, body: { status: 'stopping' } });
  expect((await ask('/livez')).status).toBe(200);
  expect(await service.exited).toBe(0);
});

test('a connection without a whole request ends', async () => {
  const port = await freePort();
  await platform.spawn('procedures', { HEALTH_PORT: String(port) });
  const [silent, slow] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
  slow.write('GET /livez HTTP/1.1\r\n');
  await Promise.all([silent, slow].map((socket) => once(socket.resume(), 'close')));
}, 30_000);

test('a port in use ends the start with an error that names it', async () => {
  const server = createServer();
  const port = await listen(server);
  const start = platform.start(serviceOf('procedures', []), { HEALTH_PORT: String(port) });
  await expect(start).rejects.toThrow(
    `port ${port} of 127.0.0.1 is in use: stop what uses it, or set HEALTH_PORT to another`,
  );
  server.close();
});
