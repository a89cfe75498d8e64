import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import { NotSent } from './failure.ts';
import { Sender } from './sender.ts';

const KIB = 1024;

let server: Server;
let sockets: number;
let sender: Sender;
afterEach(() => {
  sender.close();
  server.closeAllConnections();
  server.close();
});

/** Serves, and returns a function that sends a request. */
async function serving(listener: RequestListener) {
  server = createServer(listener);
  sockets = 0;
  server.on('connection', () => sockets++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  sender = new Sender({ allowedNetworks: [], allowsHttpToLoopback: true });
  return (more: Partial<Parameters<Sender['send']>[0]> = {}) =>
    sender.send({
      ...{ method: 'POST', url, headers: {}, body: '{}', isRepeatable: true, maxBytes: KIB },
      signal: AbortSignal.timeout(5_000),
      ...more,
    });
}

describe('a request', () => {
  test('that is repeatable takes an idle connection; any other one is alone on its own', async () => {
    const post = await serving((_request, response) => response.end('{}'));
    for (let n = 0; n < 3; n++) await post();
    expect(sockets).toBe(1);
    for (let n = 0; n < 3; n++) await post({ isRepeatable: false });
    expect(sockets).toBe(4);
  });

  test('that is repeatable is sent again when the server resets the idle connection; any other one is sent once', async () => {
    const answered = new WeakSet<object>();
    let requests = 0;
    const post = await serving(({ socket }, response) => {
      requests++;
      if (answered.has(socket)) return socket.resetAndDestroy();
      answered.add(socket);
      return response.end('{}');
    });
    expect([(await post()).status, (await post()).status, requests, sockets]).toEqual([200, 200, 3, 2]);
    expect([(await post({ isRepeatable: false })).status, requests]).toEqual([200, 4]);
  });

  test('has not arrived without a connection, and may have arrived after one', async () => {
    const post = await serving((request) => request.socket.destroy());
    const lost = post({ isRepeatable: false });
    await expect(lost).rejects.toMatchObject({ code: 'ECONNRESET' });
    await expect(lost).rejects.not.toBeInstanceOf(NotSent);
    server.close();
    await expect(post()).rejects.toBeInstanceOf(NotSent);
    await expect(post({ signal: AbortSignal.abort() })).rejects.toBeInstanceOf(NotSent);
  });
});

describe('an answer', () => {
  test.each([
    [KIB, true],
    [KIB + 1, false],
    [64 * KIB, false],
  ])('of %d bytes is whole: %s', async (size, isWhole) => {
    const post = await serving((_request, response) => response.end('x'.repeat(size)));
    const { status, body } = await post();
    expect([status, body?.length]).toEqual([200, isWhole ? size : undefined]);
  });

  test('that declares too many bytes is not read', async () => {
    const post = await serving((_request, response) => {
      response.writeHead(200, { 'content-length': String(KIB + 1) }).write('x');
    });
    expect(await post()).toMatchObject({ status: 200, body: undefined, failure: 'too_large' });
  });

  test('in tiny pieces takes memory as it grows, and ends where there is none', async () => {
    const post = await serving(async (_request, response) => {
      for (let n = 0; n < 300; n++) {
        response.write('x'.repeat(100));
        if (n % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });
    const held: number[] = [];
    const hold = (bytes: number) => held.push(bytes) > 0;
    const { body } = await post({ hold, maxBytes: 64 * KIB });
    const all = held.reduce((sum, bytes) => sum + bytes, 0);
    expect(body).toHaveLength(30_000);
    expect(all).toBeGreaterThanOrEqual(30_000);
    expect(all).toBeLessThanOrEqual(60_000);
    expect(await post({ hold: () => false })).toMatchObject({ status: 200, failure: 'no_memory' });
  });

  test('follows any 1xx but 101, which ends HTTP', async () => {
    let first = 0;
    const post = await serving(({ socket }) => {
      socket.write(`HTTP/1.1 ${first} Informational\r\nx-hint: 1\r\n\r\n`);
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
    });
    for (first = 100; first < 200; first++) {
      const { status, body } = await post();
      expect([first, status, body?.toString()]).toEqual(
        first === 101 ? [101, 101, undefined] : [first, 200, '{}'],
      );
    }
  });

  test.each([
    [16, 200],
    [17, 103],
  ])('after %d 1xx has the status %d', async (count, status) => {
    const post = await serving(({ socket }) => {
      socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(count));
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
    });
    expect(await post()).toMatchObject({ status });
  });

  test('stays as it was sent when it is compressed, which no request asks for', async () => {
    const asked: unknown[] = [];
    const post = await serving(({ headers }, response) => {
      asked.push(headers['accept-encoding']);
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":1}'));
    });
    const { body, headers } = await post({ headers: { 'accept-encoding': 'gzip' } });
    expect([asked, headers['content-encoding']]).toEqual([['identity'], 'gzip']);
    expect(gunzipSync(body!).toString()).toBe('{"a":1}');
  });

  test('that comes before the server has read the request is whole', async () => {
    const post = await serving((request, response) => {
      request.pause();
      response.writeHead(404, { connection: 'close' }).end('{}', () => request.socket.destroy());
    });
    const { status, body } = await post({ body: 'x'.repeat(1024 * KIB) });
    expect([status, body?.toString()]).toEqual([404, '{}']);
  });

  test('that is cut is not whole', async () => {
    const post = await serving((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('x'.repeat(50), () => response.destroy());
    });
    expect(await post()).toMatchObject({ status: 200, body: undefined, failure: 'connection_failed' });
  });

  test('that is late has its status and is not whole', async () => {
    const ending = new AbortController();
    const post = await serving((_request, response) => {
      response.writeHead(201).write('x', () => setTimeout(() => ending.abort(), 50));
    });
    const late = { status: 201, body: undefined, failure: 'timeout' };
    expect(await post({ signal: ending.signal })).toMatchObject(late);
  });
});
