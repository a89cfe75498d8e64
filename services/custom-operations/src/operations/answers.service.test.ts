import { gzipSync } from 'node:zlib';
import { aMember } from '@action-platform/testing';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { json, testCustomOperations } from '../test-support/test-custom-operations.ts';

const custom = testCustomOperations();

const KIB = 1024;
const sized = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`;
const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
const refusal = (error: object, status = 400) => json(JSON.stringify({ error }), status);
const declared = { code: 'custom_order_not_found' };

/** The codes of a read and of a write, and the cause in the message of the write. */
interface Outcomes {
  readonly read: string;
  readonly write: string;
  readonly cause?: string | undefined;
}

const [unreachable, failed] = ['custom_endpoint_unavailable', 'custom_endpoint_failed'];
const unavailable = (cause: string): Outcomes => ({ read: unreachable, write: unreachable, cause });
const unusable = (cause = 'no_json_object'): Outcomes => ({ read: unreachable, write: failed, cause });
const refused = { read: 'custom_operation_refused', write: 'custom_operation_refused' };
const done = { read: 'ok', write: 'ok' };

type CustomAnswer = typeof custom.answer;

const answers: Readonly<Record<string, readonly [CustomAnswer, Outcomes]>> = {
  'an object': [json('{"a":1}'), done],
  'an object with another 2xx': [json('{"a":1}', 201), done],
  'nothing, with 204': [(response) => response.writeHead(204).end(), done],
  'nothing, with 200': [json(''), done],
  '16 KiB': [json(sized(16 * KIB)), done],
  'more than 16 KiB': [json(sized(16 * KIB + 1)), { ...unusable('too_large'), read: 'ok' }],
  '256 KiB': [json(sized(256 * KIB)), { ...unusable('too_large'), read: 'ok' }],
  'more than 256 KiB': [json(sized(256 * KIB + 1)), unusable('too_large')],
  '64 levels': [json(nested(64)), done],
  '65 levels': [json(nested(65)), unusable()],
  'duplicate names': [json('{"a":1,"a":2}'), unusable()],
  'a lone surrogate': [json('{"a":"\\ud800"}'), unusable()],
  'an array': [json('[]'), unusable()],
  'a string': [json('"x"'), unusable()],
  'no JSON': [json('<html>'), unusable()],
  'a byte order mark': [json('\ufeff{}'), unusable()],
  'the end of an object and another one': [json('{}},{"b":{}'), unusable()],
  'a further member': [json('{},"b":{}'), unusable()],
  'malformed UTF-8': [
    (response) => response.end(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
    unusable(),
  ],
  'gzip that nobody asked for': [
    (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{}')),
    unusable(),
  ],
  'a redirect': [
    (response) => response.writeHead(307, { location: custom.url }).end(),
    unusable('status_307'),
  ],
  'an object after a 1xx': [
    (response, received) => {
      response.socket!.write('HTTP/1.1 102 Processing\r\n\r\n');
      json('{"a":1}')(response, received);
    },
    done,
  ],
  'a 1xx and nothing more': [
    (response) => response.socket!.write('HTTP/1.1 103 Early Hints\r\n\r\n'),
    unusable('timeout'),
  ],
  '1xx without end': [
    (response) => {
      const write = (): unknown =>
        response.socket?.write('HTTP/1.1 103 Early Hints\r\n\r\n', (error) => error || setImmediate(write));
      write();
    },
    unusable('status_103'),
  ],
  'a switch of protocols': [
    (response) => response.socket!.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
    unusable('status_101'),
  ],
  'a server error': [refusal(declared, 500), unusable('status_500')],
  'a status beyond 599': [json('{}', 999), unusable('status_999')],
  'too many requests': [refusal(declared, 429), unavailable('status_429')],
  'a timeout of its own': [refusal(declared, 408), unusable('status_408')],
  'too early': [refusal(declared, 425), unusable('status_425')],
  'a declared refusal': [refusal(declared), { read: declared.code, write: declared.code }],
  'a declared refusal with 404': [refusal(declared, 404), { read: declared.code, write: declared.code }],
  'an undeclared refusal': [refusal({ code: 'custom_other' }), refused],
  'a code of the platform': [refusal({ code: 'invalid_token' }), refused],
  'a refusal with a long message': [refusal({ ...declared, message: 'x'.repeat(501) }), refused],
  'a refusal without a body': [(response) => response.writeHead(403).end(), refused],
  'a part of a declared refusal, and closes': [
    (response) => {
      response.writeHead(404, { 'content-length': '100' });
      response.write('{"error":', () => response.destroy());
    },
    unusable('connection_failed'),
  ],
  'a gigabyte': [
    (response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(64 * KIB, ' ');
      const write = (): unknown =>
        response.destroyed || !response.write(chunk) ? undefined : setImmediate(write);
      response.on('drain', write);
      write();
    },
    unusable('too_large'),
  ],
  'a part of its answer, and closes': [
    (response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"a":', () => response.destroy());
    },
    unusable('connection_failed'),
  ],
  'nothing, and closes': [(response) => response.socket!.destroy(), unusable('connection_failed')],
  'no HTTP': [(response) => response.socket!.end('SSH-2.0-OpenSSH_9.9\r\n'), unusable('connection_failed')],
  'headers without end': [
    (response) => {
      const write = (): unknown =>
        response.socket?.write(`x: ${'x'.repeat(1000)}\r\n`, (error) => error || setImmediate(write));
      response.socket!.write('HTTP/1.1 200 OK\r\n', write);
    },
    unusable('connection_failed'),
  ],
  'nothing in time': [() => {}, unusable('timeout')],
  'its answer byte by byte': [
    (response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(' '), 50);
      response.once('close', () => clearInterval(timer));
    },
    unusable('timeout'),
  ],
};

async function outcomesOf(more: Parameters<typeof custom.define>[1] = {}): Promise<Outcomes> {
  const member = aMember();
  const call = async (effect: 'read' | 'write') => {
    const id = `custom.an_${effect}`;
    const operation = custom.define(member.workspaceId, { id, effect, timeoutMs: 1_000, ...more });
    return await custom.call(member, operation, { order: 1 }, { key: effect === 'write' ? 'k' : '' });
  };
  const [read, write] = await Promise.all([call('read'), call('write')]);
  const [, cause] = / Cause: (\w+)\.$/.exec(write.error?.message ?? '') ?? [];
  return { read: read.code, write: write.code, cause };
}

describe('an endpoint that answers with', () => {
  test.each(Object.entries(answers))('%s', async (_name, [answer, outcomes]) => {
    custom.answer = answer;
    expect(await outcomesOf()).toEqual(outcomes);
  });
});

describe('an endpoint that', () => {
  beforeAll(() => {
    custom.answer = json('{}');
  });

  test('takes no connection is unavailable', async () => {
    expect(await outcomesOf({ url: 'http://127.0.0.1:1/' })).toEqual(unavailable('connection_failed'));
  });

  test.each([
    'https://10.0.0.1/',
    'https://[::ffff:127.0.0.1]/',
    'https://127.0.0.1/',
    'http://example.com/',
  ])('is at %s, which was permitted once, is unavailable', async (url) => {
    expect(await outcomesOf({ url })).toEqual(unavailable('address_refused'));
  });

  test.each(['\n', '\u202e', '\u200b', '\u{e0041}'])(
    'hides %j in the message of a declared refusal is refused with the declared message',
    async (hidden) => {
      const member = aMember();
      const operation = custom.define(member.workspaceId, { effect: 'read' });
      custom.answer = refusal({ ...declared, message: `Order 1${hidden} is not there.` });
      const { code, error } = await custom.call(member, operation, { order: 1 });
      expect([code, error?.message]).toEqual([declared.code, 'No order has this number.']);
    },
  );

  test('resets idle connections fails no call', async () => {
    const used = new WeakSet<object>();
    custom.answer = (response, received) => {
      if (used.has(response.socket!)) return response.socket!.resetAndDestroy();
      used.add(response.socket!);
      return json('{}')(response, received);
    };
    for (let n = 0; n < 5; n++) expect(await outcomesOf()).toEqual(done);
  });
});

test('32 calls of a Workspace may be under way at an origin; further ones are refused at once, and others go on', async () => {
  const waiting: (() => void)[] = [];
  custom.answer = (response, received) => waiting.push(() => json('{}')(response, received));
  const [member, other] = [aMember(), aMember()];
  const read = { effect: 'read', timeoutMs: 8_000 } as const;
  const operation = custom.define(member.workspaceId, read);
  const call = () => custom.call(member, operation, { order: 1 });
  const under = Array.from({ length: 32 }, call);
  while (waiting.length < 32) await new Promise((resolve) => setTimeout(resolve, 5));
  expect((await call()).error).toMatchObject({
    code: 'custom_endpoint_unavailable',
    message: expect.stringContaining('Cause: calls_under_way.'),
  });
  const elsewhere = custom.call(other, custom.define(other.workspaceId, read), { order: 1 });
  while (waiting.length < 33) await new Promise((resolve) => setTimeout(resolve, 5));
  for (const answer of waiting.splice(0)) answer();
  expect((await Promise.all([...under, elsewhere])).map(({ code }) => code)).toEqual(Array(33).fill('ok'));
  custom.answer = json('{}');
  expect((await call()).code).toBe('ok');
});
