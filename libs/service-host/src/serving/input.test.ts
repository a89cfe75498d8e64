import { MAX_JSON_VALUES } from '@action-platform/contracts/limits';
import { operationOf, operations, pushRecord } from '@action-platform/contracts/operations';
import { customOperationRoutes, memberRoutes } from '@action-platform/contracts/resources';
import { type JsonSchema, publishedSchema } from '@action-platform/contracts/schema';
import { ExactJson } from '@action-platform/json';
import { expect, test } from '@jest/globals';
import type { z } from 'zod';
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

/** An input with a Collection. */
const c = (rest: string) => `{"collection_id":"c",${rest}}`;
const LIMIT = /^The JSON text has more than 12000 values$/;

test.each([
  ['nothing where input is needed', '', /./, 'invalid_json'],
  ['no JSON', '{"collection_id":', /character/, 'invalid_json'],
  ['two objects', `${input()}${input()}`, /character/, 'invalid_json'],
  ['a comment', `${input()} // note`, /character/, 'invalid_json'],
  ['a byte order mark', `\ufeff${input()}`, /character/, 'invalid_json'],
  ['bytes that are not UTF-8', Buffer.from('7b22ff223a317d', 'hex'), /UTF-8/, 'invalid_json'],
  ['a payload that is no object', c('"payload":[]'), /^payload: /, 'record_store_invalid_payload'],
  ['a payload that is null', c('"payload":null'), /^payload: /, 'record_store_invalid_payload'],
  ['a name twice', c('"payload":{"x":{"a":1,"a":2}}'), /^payload\.x\.a: /, 'record_store_invalid_payload'],
  [
    'a long name that is cut within a pair',
    c(`"payload":{"${'x'.repeat(91)}😀":{"a":1,"a":2}}`),
    /^payload\.x{91}\ufffd…: /,
    'record_store_invalid_payload',
  ],
  ['half a pair', c('"payload":{"x":["\\ud800"]}'), /^payload\.x\[0\]: /, 'record_store_invalid_payload'],
  ['no object', '[1]', /^the request: /],
  ['a missing field', '{"payload":{}}', /^collection_id is required/],
  ['a missing payload', '{"collection_id":"c"}', /^payload is required/],
  [
    'unknown fields',
    c('"payload":{},"a":1,"__proto__":2'),
    /^the request has unknown fields: "a", "__proto__"\.$/,
  ],
  [
    'a field under another name',
    '{"collectionId":"c","payload":{}}',
    /^collection_id is required; the request has .*: "collectionId" \(did you mean collection_id\?\)\.$/,
  ],
  [
    'more wrong than is listed',
    '{"payload":{},"idempotency_key":"","a":1,"b":2,"c":3,"d":4}',
    /^collection_id is required; idempotency_key: .*; .* unknown fields: "a", "b", "c"; and 1 more\.$/,
  ],
  ['a field with a name twice', c('"collection_id":"d","payload":{}'), /^collection_id: /],
  ['a wrong payload and a wrong field', '{"collection_id":7,"payload":[]}', /collection_id: .*payload: /],
  ['a text that is too long', `{"collection_id":"${'c'.repeat(201)}","payload":{}}`, /1 to 200/],
  ['65 levels', nested(64), /64 levels/],
  ['more values than the limit', c(`"payload":{},"a":[${'1,'.repeat(MAX_JSON_VALUES)}1]`), LIMIT],
  ['more values in a large body', c(`"payload":{},"a":[${'1,'.repeat(500_000)}1]`), LIMIT],
  ['more fields', `{${Array.from({ length: 100_000 }, (_, n) => `"${n}":1`).join()}}`, LIMIT],
] as [string, string | Buffer, RegExp, string?][])(
  '%s is refused',
  async (_what, body, message, code = 'invalid_request') => {
    expect(await refusal(body)).toEqual({ code, message: expect.stringMatching(message) });
  },
);

/** A value with as many values as a schema accepts, of the right form at least. */
function most({ type, maxItems = 1, items = {}, properties = {}, anyOf }: JsonSchema): unknown {
  if (anyOf !== undefined) return most(anyOf.at(-1)!);
  if (type === 'array') return Array.from({ length: maxItems }, () => most(items));
  if (type !== 'object') return 1;
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, most(field)]));
}

test.each([...operations.values(), ...memberRoutes])(
  'no body of $id that its schema accepts has too many values',
  async ({ input: schema }) => {
    const body = Buffer.from(JSON.stringify(most(publishedSchema(schema, 'input'))));
    const read = await inputReader<z.ZodObject>(schema)(body).catch(String);
    expect(String(read)).not.toMatch(/more than \d+ values/);
  },
);

test('a custom operation takes as many values as its schema accepts', async () => {
  const ids = { type: 'array', items: { type: 'integer' } };
  const inputSchema = { type: 'object', properties: { ids }, additionalProperties: false };
  const readCustom = inputReader(operationOf({ effect: 'read', inputSchema } as never).input);
  const most = Array.from({ length: 32_000 }, () => 1);
  expect(await readCustom(Buffer.from(JSON.stringify({ ids: most })))).toEqual({ ids: most });
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

test.each(['maximum', 'exclusiveMinimum', 'const', 'default'])(
  'a schema of a custom operation whose %s would lose digits is refused',
  async (keyword) => {
    const put = inputReader(customOperationRoutes.put.input);
    const register = (number: string) =>
      put(
        Buffer.from(`{
          "id": "custom.refund_order", "title": "Refund", "description": "Refunds.", "effect": "read",
          "availability": "workspace_member", "url": "https://orders.example.com/", "inputSchema": {
            "type": "object", "properties": {"a": {"type": "number", "${keyword}": ${number}}}, "additionalProperties": false
          }
        }`),
      );
    await expect(register('9007199254740993')).rejects.toThrow(
      `inputSchema.properties.a.${keyword}: has more digits`,
    );
    expect(await register('9007199254740992.0')).toHaveProperty('id');
  },
);
