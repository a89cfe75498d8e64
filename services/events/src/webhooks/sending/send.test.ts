import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { destinationUrl, readNetworks, Sender } from '@action-platform/outbound-http';
import { listen } from '@action-platform/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { hostileUrls } from '../../test-support/hostile-urls.ts';
import { sendWebhook } from './send.ts';

const strict = { allowedNetworks: [], allowsHttpToLoopback: false };
const signal = new AbortController().signal;
const request = { headers: {}, body: '{}', signal };

/** Counts the connections to this machine. */
let listener: TcpServer;
let connections = 0;
let port: number;
beforeAll(async () => {
  listener = createTcpServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => listener.listen(0, resolve));
  ({ port } = listener.address() as AddressInfo);
});
afterAll(() => {
  listener.close();
});

describe('a hostile URL', () => {
  test('is refused when it is declared, and never connected to if it was stored before', async () => {
    const urls = hostileUrls(port);
    expect(urls.length).toBeGreaterThan(45);
    const sender = new Sender({ ...strict, resolve: async () => ['127.0.0.1'] });
    const named = `https://hooks.example.com:${port}/`;
    for (const url of [...urls, named]) {
      if (url !== named) expect(() => destinationUrl(url, strict)).toThrow();
      if (!URL.canParse(url)) continue;
      const outcome = await sendWebhook(sender, { ...request, url });
      expect([url, outcome]).toEqual([url, { failure: 'address_refused' }]);
    }
    sender.close();
    expect(connections).toBe(0);
  });

  test('of a name that changes its address after the check never reaches this machine', async () => {
    let asked = 0;
    // A public address at the first look-up, this machine at every later one.
    const resolve = async () => [asked++ === 0 ? '192.0.2.1' : '127.0.0.1'];
    const allowedNetworks = readNetworks('TEST', '192.0.2.0/24');
    const sender = new Sender({ allowedNetworks, allowsHttpToLoopback: false, resolve });
    const ending = AbortSignal.timeout(300);
    const url = `https://rebound.example.com:${port}/`;
    await sendWebhook(sender, { ...request, url, signal: ending }).catch(() => {});
    expect(asked).toBe(1);
    expect(await sendWebhook(sender, { ...request, url })).toEqual({ failure: 'address_refused' });
    expect(connections).toBe(0);
  });
});

describe('an endpoint', () => {
  let server: Server;
  const sender = new Sender({ ...strict, allowsHttpToLoopback: true });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });
  afterAll(() => sender.close());

  const serving = async (handler: Parameters<typeof createServer>[1]) => {
    server = createServer(handler);
    return `http://127.0.0.1:${await listen(server)}/hook?token=t`;
  };

  test('gets the body and the headers, and its status is the outcome', async () => {
    const url = await serving(async (incoming, response) => {
      const { method, headers } = incoming;
      const isRight =
        method === 'POST' && headers['webhook-id'] === 'evt_1' && (await text(incoming)) === '{}';
      response.writeHead(isRight ? 204 : 400).end();
    });
    const headers = { 'webhook-id': 'evt_1' };
    expect(await sendWebhook(sender, { ...request, url, headers })).toEqual({ status: 204 });
  });

  test.each([
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(17),
  ])('that answers %j has failed', async (answer) => {
    const url = await serving(() => {});
    server.on('connection', (socket) => socket.once('data', () => socket.write(answer)));
    const status = Number(answer.slice(9, 12));
    expect(await sendWebhook(sender, { ...request, url })).toEqual({ status, failure: 'status' });
  });

  test('that answers 102 and then 204 has succeeded', async () => {
    const url = await serving((_request, response) => {
      response.writeProcessing();
      response.writeHead(204).end();
    });
    expect(await sendWebhook(sender, { ...request, url })).toEqual({ status: 204 });
  });

  test('that accepts a connection and is silent ends with its signal', async () => {
    const ending = new AbortController();
    const url = await serving(() => ending.abort());
    expect(await sendWebhook(sender, { ...request, url, signal: ending.signal })).toBeUndefined();
  });

  test.each([
    ['redirects is not followed', 307, 'location', { failure: 'redirect' }],
    [
      'asks for a pause has it in the outcome',
      503,
      'retry-after',
      { failure: 'status', retryAfterMs: 7_000 },
    ],
  ])('that %s', async (_what, status, header, outcome) => {
    const value = header === 'location' ? `http://127.0.0.1:${port}/` : '7';
    const url = await serving((_request, response) => response.writeHead(status, { [header]: value }).end());
    expect(await sendWebhook(sender, { ...request, url })).toEqual({ status, ...outcome });
    expect(connections).toBe(0);
  });

  test('that answers with a gigabyte is cut', async () => {
    const sent = Promise.withResolvers<number>();
    const url = await serving((_request, response) => {
      let bytes = 0;
      const chunk = Buffer.alloc(64 * 1024);
      const write = () => {
        while (bytes < 2 ** 30) {
          bytes += chunk.length;
          if (!response.write(chunk)) return response.once('drain', write);
        }
        return response.end();
      };
      response.once('close', () => sent.resolve(bytes));
      write();
    });
    expect(await sendWebhook(sender, { ...request, url })).toEqual({ status: 200 });
    expect(await sent.promise).toBeLessThan(16 * 1024 * 1024);
  });

  test('that closes the connection, or is not there, could not be reached', async () => {
    const url = await serving((incoming) => incoming.socket.destroy());
    expect(await sendWebhook(sender, { ...request, url })).toEqual({ failure: 'connection_failed' });
    server.close();
    server.closeAllConnections();
    expect(await sendWebhook(sender, { ...request, url })).toEqual({ failure: 'connection_failed' });
  });
});
