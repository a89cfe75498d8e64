import { expect, test } from '@jest/globals';
import { dialectProblem } from './schema-dialect.ts';
import { type DialectSchema, valueCheck } from './value-check.ts';

const root = (properties: object, more: object = {}) => ({
  type: 'object',
  properties,
  additionalProperties: false,
  ...more,
});
const nested = (levels: number): object =>
  levels === 1 ? { type: 'string' } : { type: 'object', properties: { a: nested(levels - 1) } };
const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, { type: 'null' }]));

test.each([
  root({}),
  root(
    { a: { type: 'integer', minimum: 1, default: 2, format: 'int32' } },
    { required: ['a'], title: 'Input' },
  ),
  root({ a: nested(7) }),
  root(many(200)),
  root({}, { $schema: 'https://json-schema.org/draft/2020-12/schema' }),
  root({ a: { type: 'array', items: { type: 'string', enum: ['x', 'y'] } } }),
])('%j has no problem', (schema) => {
  expect(dialectProblem(schema, true)).toBeUndefined();
});

test.each<[string, object]>([
  ['properties.a.$ref', root({ a: { type: 'string', $ref: '#' } })],
  ['properties.a.type', root({ a: { $ref: '#' } })],
  ['properties.a.anyOf', root({ a: { type: 'string', anyOf: [] } })],
  ['properties.a.pattern', root({ a: { type: 'string', pattern: '^(a+)+$' } })],
  ['properties.a.minimum', root({ a: { type: 'string', minimum: 1 } })],
  ['properties.a.type', root({ a: { type: ['string', 'null'] } })],
  ['properties.a.enum.1', root({ a: { type: 'string', enum: ['x', 1] } })],
  ['properties.a.enum', root({ a: { type: 'string', enum: [] } })],
  ['properties.a.const', root({ a: { type: 'integer', const: 1.5 } })],
  ['properties.a.maxLength', root({ a: { type: 'string', maxLength: -1 } })],
  ['properties.a.items', root({ a: { type: 'array', items: [] } })],
  ['properties.a.$schema', root({ a: { type: 'string', $schema: 'x' } })],
  ['properties.a.description', root({ a: { type: 'string', description: 'x'.repeat(301) } })],
  ['properties.a.description', root({ a: { type: 'string', description: 'x\u2066' } })],
  ['properties.a.default.0', root({ a: { type: 'string', default: ['\u200b'] } })],
  [
    'properties.__proto__',
    JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}},"additionalProperties":false}'),
  ],
  ['__proto__', JSON.parse('{"type":"object","__proto__":{},"additionalProperties":false}')],
  ['properties.constructor', root({ constructor: { type: 'string' } })],
  ['properties.a b', root({ 'a b': { type: 'string' } })],
  ['properties.idempotency_key', root({ idempotency_key: { type: 'string' } })],
  ['required.0', root({}, { required: ['a'] })],
  ['required.1', root({ a: { type: 'null' } }, { required: ['a', 'a'] })],
  ['', { type: 'object', properties: {} }],
  ['', { type: 'object', properties: {}, additionalProperties: true }],
  ['type', { type: 'string' }],
  ['properties.a', root({ a: true })],
  ['properties', root(many(201))],
  ['', root({ a: { type: 'string', enum: ['x'.repeat(17 * 1024)] } })],
  [
    'properties.a.properties.a.properties.a.properties.a.properties.a.properties.a.properties.a.properties.a',
    root({ a: nested(8) }),
  ],
])('a problem at %j is found in %j', (place, schema) => {
  expect(dialectProblem(schema, true)?.path.join('.')).toBe(place);
});

test('an output may be open', () => {
  expect(dialectProblem({ type: 'object' }, false)).toBeUndefined();
});

const order = {
  type: 'object',
  properties: {
    id: { type: 'string', maxLength: 2 },
    lines: { type: 'array', items: { type: 'integer', exclusiveMinimum: 0 } },
    state: { type: 'string', enum: ['open', 'paid'] },
  },
  required: ['id'],
  additionalProperties: false,
} as const satisfies DialectSchema;

test.each<[unknown, string]>([
  [{}, 'id is required'],
  [{ id: '😀😀😀' }, 'id must have 0 to 2 characters'],
  [{ id: '1', lines: [1, 0] }, 'lines.1 must be more than 0'],
  [{ id: '1', lines: [1.5] }, 'lines.0 must be an integer'],
  [{ id: '1', state: 'gone' }, 'state must be one of "open", "paid"'],
  [{ id: '1', line: 1 }, 'line is an unknown field'],
  [{ id: null }, 'id must be a string'],
  [[], ' must be an object'],
])('%j is refused: %s', (value, expected) => {
  const { path, message } = valueCheck(order)(value)!;
  expect(`${path.join('.')} ${message}`).toBe(expected);
});

test('of a value with any number of faults, or of properties that it has not, one is found', () => {
  const names = Array.from({ length: 150 }, (_, index) => `p${index}`);
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'integer' } as const]));
  const check = (required: string[]) =>
    valueCheck({ type: 'array', items: { type: 'object', properties, required } })(Array(5000).fill({}));
  expect(check([])).toBeUndefined();
  expect(check(names)).toEqual({ path: [0, 'p0'], message: 'is required' });
});
