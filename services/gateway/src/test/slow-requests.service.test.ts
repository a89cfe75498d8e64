import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { GatewayHarness } from './harness.ts';
import { RawConnection } from './raw-http.ts';

const harness = new GatewayHarness();
beforeAll(() => harness.start({ REQUEST_DEADLINE_MS: '100' }));
afterAll(() => harness.stop());

test('a connection without a first byte stays open past the request deadline', async () => {
  const ready = await RawConnection.open(harness.url);
  const slow = await RawConnection.open(harness.url);
  slow.write('GET /livez HT');
  expect((await slow.refusal('invalid_request')).message).toMatch(/too long/);
  ready.write('GET /livez HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n\r\n');
  expect((await ready.answer()).status).toBe(200);
});

test.each(['GET', 'HEAD'])('a %s whose body never arrives has one answer', async (method) => {
  for (const [path, status] of [
    ['/docs/errors', 200],
    ['/livez', 200],
    ['/nowhere', 404],
  ] as const) {
    const connection = await RawConnection.open(harness.url);
    connection.request(`${method} ${path}`, { 'Content-Length': 10 });
    expect((await connection.answer()).status).toBe(status);
    expect(connection.received.match(/HTTP\/1\.1/g)).toHaveLength(1);
  }
});
