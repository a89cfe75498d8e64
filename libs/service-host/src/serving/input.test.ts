import { pushRecord } from '@action-platform/contracts';
import { ExactJson } from '@action-platform/json';
import { expect, test } from '@jest/globals';
import { inputReader } from './input.ts';

const read = inputReader(pushRecord.input);
type Headers = Parameters<typeof read>[1];
const refusal = async (body: string | Uint8Array, headers?: Headers) =>
  await read(Buffer.from(body as string), headers).then(
    () => expect('the body').toBe('refused'),
    ({ code, message }) => ({ code, message }),
  );
const input = (more: object = {}) => JSON.stringify({ collection_id: 'c', payload: {}, ...more });
/** So many levels of objects in a payload. */
const nested = (levels: number) =>
  `{"collection_id":"c","payload":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`;

test.each([
  ['nothing where input is needed', '', 'invalid_json', /./],
  ['no JSON', '{"collection_id":', 'invalid_json', /character/],
  ['no object', '[1]', 'invalid_request', /^the request: /],
  ['a missing field', '{"payload":{}}', 'invalid_request', /^collection_id is required/],
  ['a missing payload', '{"collection_id":"c"}', 'invalid_request', /^payload is required/],
  [
    'unknown fields',
    '{"collection_id":"c","payload":{},"a":1,"__proto__":2}',
    'invalid_request',
    /^the request has unknown fields: "a", "__proto__"\.$/,
  ],
  [
    'a field under another name',
    '{"collectionId":"c","payload":{}}',
    'invalid_request',
    /^collection_id is required; the request has unknown fields: "collectionId" \(did you mean collection_id\?\)\.$/,
  ],
  [
    'more wrong than is told',
    '{"payload":{},"idempotency_key":"","a":1,"b":2,"c":3,"d":4}',
    'invalid_request',
    /^collection_id is required; idempotency_key: .*; the request has unknown fields: "a", "b", "c"; and 1 more\.$/,
  ],
  [
    'a payload that is no object',
    '{"collection_id":"c","payload":[]}',
    'record_store_invalid_payload',
    /^payload: /,
  ],
  [
    'a payload that is null',
    '{"collection_id":"c","payload":null}',
    'record_store_invalid_payload',
    /^payload: /,
  ],
  [
    'a payload with a name twice',
    '{"collection_id":"c","payload":{"x":{"a":1,"a":2}}}',
    'record_store_invalid_payload',
    /^payload\.x\.a: /,
  ],
  [
    'a payload with half a pair',
    '{"collection_id":"c","payload":{"x":["\\ud800"]}}',
    'record_store_invalid_payload',
    /^payload\.x\.0: /,
  ],
  [
    'a field with a name twice',
    '{"collection_id":"c","collection_id":"d","payload":{}}',
    'invalid_request',
    /^collection_id: /,
  ],
  [
    'a wrong payload and a wrong field',
    '{"collection_id":7,"payload":[]}',
    'invalid_request',
    /collection_id: .*payload: /,
  ],
  [
    'a text that is too long',
    `{"collection_id":"${'c'.repeat(201)}","payload":{}}`,
    'invalid_request',
    /1 to 200/,
  ],
  ['two objects', `${input()}${input()}`, 'invalid_json', /character/],
  ['a comment', `${input()} // note`, 'invalid_json', /character/],
  ['a byte order mark', `\ufeff${input()}`, 'invalid_json', /character/],
  [
    'bytes that are not UTF-8',
    Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    'invalid_json',
    /UTF-8/,
  ],
  ['65 levels', nested(64), 'invalid_request', /64 levels/],
  [
    'more values than the limit',
    `{"collection_id":"c","payload":{},"a":[${'1,'.repeat(5000)}1]}`,
    'invalid_request',
    'The JSON text has more than 5000 values',
  ],
  [
    'more values than the limit in a large body',
    `{"collection_id":"c","payload":{},"a":[${'1,'.repeat(500_000)}1]}`,
    'invalid_request',
    'The JSON text has more than 5000 values',
  ],
  [
    'more fields than the limit',
    `{${Array.from({ length: 100_000 }, (_, n) => `"${n}":1`).join()}}`,
    'invalid_request',
    'The JSON text has more than 5000 values',
  ],
] as const)('%s is refused', async (_what, body, code, message) => {
  const says = typeof message === 'string' ? message : expect.stringMatching(message);
  expect(await refusal(body)).toEqual({ code, message: says });
});

test('64 levels are read', async () => {
  expect(await read(Buffer.from(nested(63)))).toMatchObject({ collection_id: 'c' });
});

test('a large body is read as a small one is', async () => {
  const payload = `{ ${Array.from({ length: 20_000 }, (_, n) => `"${n}" : 1.0`).join()} }`;
  const whole = `{"collection_id":"c","payload":${payload}}`;
  expect(await read(Buffer.from(whole))).toEqual({ collection_id: 'c', payload: new ExactJson(payload) });
  const twice = `{"collection_id":"c","payload":{"x":${payload},"y":{"a":1,"a":2}}}`;
  expect(await refusal(twice)).toEqual({
    code: 'record_store_invalid_payload',
    message: expect.stringMatching(/^payload\.y\.a: /),
  });
  expect(await refusal(whole.slice(0, -1))).toMatchObject({ code: 'invalid_json' });
});

test('a refusal repeats neither a long name nor a value', async () => {
  const { message } = (await refusal(input({ [`secret${'x'.repeat(10_000)}`]: 1 })))!;
  expect(message.length).toBeLessThan(300);
  expect((await refusal(input({ collection_id: ['hush'] })))!.message).not.toContain('hush');
});

test('an idempotency key may be required', async () => {
  const refused = await refusal('{"payload":{}}', { isKeyRequired: true });
  expect(refused!.message).toBe('collection_id is required; idempotency_key is required.');
  const keyed = input({ idempotency_key: 'k' });
  expect(await read(Buffer.from(keyed), { isKeyRequired: true })).toMatchObject({ idempotency_key: 'k' });
});

test('a header sets the idempotency key of a body without a key, or with the same one', async () => {
  const headers = { key: 'header' };
  for (const body of [input(), input({ idempotency_key: 'header' })]) {
    expect(await read(Buffer.from(body), headers)).toMatchObject({ idempotency_key: 'header' });
  }
  for (const idempotency_key of ['body', null]) {
    expect(await refusal(input({ idempotency_key }), headers)).toEqual({
      code: 'invalid_request',
      message: expect.stringContaining('differs from the header Idempotency-Key'),
    });
  }
});

test('a parameter of the path is a field, which the body must not name', async () => {
  const path = { collection_id: 'of the path' };
  expect(await read(Buffer.from('{"payload":{}}'), { path })).toMatchObject(path);
  expect((await refusal(input(), { path }))!.message).toBe(
    'collection_id: is in the path, and has no place in the body.',
  );
});
