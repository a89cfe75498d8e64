import { createServer, type ServerResponse } from 'node:http';
import { listen } from '@action-platform/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { ClientDocuments } from './client-documents.ts';

const unavailable = { code: 'action_platform_unavailable' };
const HOUR_MS = 3_600_000;
const realNow = performance.now.bind(performance);
let base = '';
let requests: string[] = [];
let isDown = false;
let documents: ClientDocuments;
/** The answers that a host never begins. */
const hanging = new Set<ServerResponse>();

const server = createServer((request, response) => {
  const path = request.url!;
  requests.push(path);
  if (path.startsWith('/hangs')) hanging.add(response);
  else if (isDown || path.startsWith('/fails')) response.writeHead(503).end();
  else response.end(JSON.stringify({ client_id: base + path, redirect_uris: ['https://a.example/'] }));
});
beforeAll(async () => {
  base = `http://127.0.0.1:${await listen(server)}`;
});
afterAll(() => void server.close());
beforeEach(() => {
  documents = new ClientDocuments({ allowsHttpToLoopback: true });
  requests = [];
  isDown = false;
});
afterEach(() => void jest.restoreAllMocks());

const find = (path: string, workspace?: string) => documents.find(base + path, workspace);

/** Sets the clock to so many milliseconds from now. */
const pass = (ms: number) => jest.spyOn(performance, 'now').mockImplementation(() => realNow() + ms);

test('hosts that hang take the requests of strangers, and none of a Workspace', async () => {
  await find('/known');
  const waiting = [1, 2, 3, 4].map((host) =>
    expect(find(`/hangs/${host}`)).rejects.toMatchObject(unavailable),
  );
  await expect(find('/new')).rejects.toMatchObject(unavailable);
  expect(await find('/known')).toBeDefined();
  expect(await find('/new', 'ws_1')).toBeDefined();
  pass(HOUR_MS);
  expect(await find('/known')).toBeDefined();
  for (const response of hanging) response.destroy();
  await Promise.all(waiting);
  expect(requests.filter((path) => path === '/known')).toHaveLength(1);
});

test('a thousand addresses that fail displace no document', async () => {
  await find('/known');
  for (let failed = 0; failed < 1_000; failed++)
    await expect(find(`/fails/${failed}`)).rejects.toMatchObject(unavailable);
  requests = [];
  expect(await find('/known')).toBeDefined();
  expect(requests).toEqual([]);
});

test('a document counts for a day while its host is down, which is asked every few seconds', async () => {
  const known = await find('/known');
  isDown = true;
  pass(HOUR_MS);
  for (let i = 0; i < 3; i++) expect(await find('/known')).toEqual(known);
  expect(requests).toHaveLength(2);
  pass(24 * HOUR_MS);
  await expect(find('/known')).rejects.toMatchObject(unavailable);
  isDown = false;
  pass(24 * HOUR_MS + 5_000);
  expect(await find('/known')).toEqual(known);
});
