import { once } from 'node:events';
import { connect } from 'node:http2';
import { beforeAll, expect, test } from '@jest/globals';
import { proxy } from './compose-stack.ts';

/** Makes a request by HTTP/2. */
async function statusOf(headers: Readonly<Record<string, string>>, body = ''): Promise<number> {
  const session = connect(proxy);
  try {
    const request = session.request({ ':path': '/api/v1/operations', ...headers });
    if (body) request.end(body);
    const [answer] = await once(request, 'response');
    return answer[':status'];
  } finally {
    session.destroy();
  }
}

beforeAll(async () => {
  expect(await statusOf({ ':path': '/readyz' })).toBe(200);
});

test('the proxy passes HTTP/2 requests to the gateway', async () => {
  expect(await statusOf({})).toBe(401);
});

test('the proxy refuses large headers', async () => {
  const headers = Array.from({ length: 10 }, (_, n) => [`x-${n}`, 'x'.repeat(4_000)]);
  expect(await statusOf(Object.fromEntries(headers))).toBe(431);
});

test('the proxy refuses a body beyond the limit of the gateway', async () => {
  const post = { ':method': 'POST', ':path': '/api/v1/operations/record_store.push_record' };
  expect(await statusOf(post, ' '.repeat(3 * 1024 * 1024))).toBeGreaterThanOrEqual(400);
});
