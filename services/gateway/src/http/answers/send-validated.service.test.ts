import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import express from 'express';
import { sendValidated } from './send-validated.ts';

const app = express();
const server = createServer(app);
let fails = true;
const compress = async (body: Uint8Array) => {
  if (fails) throw new Error('out of memory');
  return gzipSync(body);
};
const send = sendValidated(compress);
app.get('/', async (request, response) => {
  const answer = { status: 200, headers: { ETag: '"1"' }, body: Buffer.from('listing') };
  await send(request, response, answer).catch(() => response.status(503).end());
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => void server.close());

test('a compression that failed is tried again for the next request', async () => {
  const { port } = server.address() as { port: number };
  const get = () => fetch(`http://127.0.0.1:${port}/`, { headers: { 'accept-encoding': 'gzip' } });
  expect((await get()).status).toBe(503);
  fails = false;
  const answer = await get();
  expect([answer.status, await answer.text()]).toEqual([200, 'listing']);
});
