import { targetProblem } from '@action-platform/contracts/operations';
import { customOperationRoutes } from '@action-platform/contracts/resources';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { definitionsOf } from '../browser/pages/custom-operations/openapi.js';

const string = { type: 'string' };

/** What the import makes of one operation, which the server has to accept. */
function imported(operation: object, { method = 'post', path = '/orders/{id}', ...document } = {}) {
  const paths = { [path]: { [method]: { operationId: 'orders/updateOne', ...operation } } };
  const [found] = definitionsOf({ openapi: '3.1.0', paths, ...document }, 'shop');
  if (found!.definition !== undefined) {
    const { error } = customOperationRoutes.put.input.safeParse({ id: found!.id, ...found!.definition });
    expect({ found, error }).toEqual({ found, error: undefined });
    expect(targetProblem({ refusals: [], ...found!.definition })).toBeUndefined();
  }
  return found!;
}
const withBody = (schema: object, type = 'application/json') => ({
  requestBody: { required: true, content: { [type]: { schema } } },
});
const inputOf = (schema: object, document = {}) => {
  const { definition, losses, problem } = imported(withBody(schema), document);
  return { ...definition?.inputSchema.properties, losses, problem };
};

describe('an operation of an OpenAPI document', () => {
  test('is a definition with its name, effect and target', () => {
    const parameters = [
      { in: 'path', name: 'id', required: true, schema: { type: 'integer' } },
      { in: 'query', name: 'notify', schema: { type: 'boolean' } },
      { in: 'header', name: 'X-Trace', schema: string },
    ];
    const { id, definition, losses } = imported({
      summary: 'Update',
      parameters,
      ...withBody({ properties: { note: string }, required: ['note'] }),
    });
    expect(id).toBe('custom.orders_update_one');
    expect(definition).toMatchObject({
      ...{ title: 'Update', description: 'Update', effect: 'write', destructive: false },
      target: { connector: 'shop', method: 'post', path: '/orders/{id}', query: ['notify'] },
      inputSchema: {
        properties: { id: { type: 'integer' }, notify: { type: 'boolean' }, note: string },
        required: ['id', 'note'],
        additionalProperties: false,
      },
    });
    expect(losses).toEqual(['the header parameter X-Trace is not sent']);
    expect(imported({}, { method: 'get' }).definition.effect).toBe('read');
    expect(imported({}, { method: 'delete' }).definition.destructive).toBe(true);
    expect(
      imported(withBody({ properties: { a: string } }, 'application/x-www-form-urlencoded')).definition.target
        .body,
    ).toBe('form');
  });

  test.each<[object, object]>([
    [
      { type: ['string', 'null'], pattern: '^a' },
      { a: string, losses: ['null is left out', 'pattern is left to the API'] },
    ],
    [{ anyOf: [{ type: 'null' }, string] }, { a: string, losses: ['null is left out'] }],
    [{ oneOf: [string, { type: 'integer' }] }, { a: string, losses: ['only the first of 2 alternatives'] }],
    [
      { allOf: [{ type: 'integer' }, { minimum: 1 }], exclusiveMinimum: true, minimum: 2 },
      { a: { type: 'integer', exclusiveMinimum: 2 }, losses: [] },
    ],
    [
      {},
      {
        a: { type: 'object', additionalProperties: true },
        losses: ['a value of any type is an open object'],
      },
    ],
    [
      { $ref: '#/components/schemas/Tree' },
      {
        a: { type: 'array', items: { type: 'object' } },
        losses: ['deep or recursive parts are open objects'],
      },
    ],
    [{ $ref: '#/components/schemas/No' }, { problem: expect.stringContaining('not in the document') }],
    [{ $ref: 'https://example.com/a.json' }, { problem: expect.stringContaining('not in the document') }],
    [
      { type: 'string', description: `a\u202e${'x'.repeat(400)}` },
      { a: { type: 'string', description: expect.stringMatching(/^a x{297}…$/) } },
    ],
  ])('has %j as far as inputs can be so, and says what is lost', (schema, expected) => {
    const components = { schemas: { Tree: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } } };
    expect(inputOf({ type: 'object', properties: { a: schema } }, { components })).toMatchObject(expected);
  });

  test.each([
    withBody(string, 'multipart/form-data'),
    withBody({ type: 'array', items: string }),
    withBody({ properties: { 'a-b': string }, required: ['a-b'] }),
    { parameters: [{ in: 'query', name: 'filter[a]', required: true, schema: string }] },
    { parameters: [{ in: 'header', name: 'X-Tenant', required: true, schema: string }] },
  ])('that cannot be sent has a problem: %j', (operation) => {
    expect(imported(operation)).toMatchObject({ problem: expect.any(String) });
  });

  test('has a name of its own, however long or equal the others are', () => {
    const get = { operationId: `get${'X'.repeat(80)}` };
    const found = definitionsOf(
      { openapi: '3.0.3', paths: { '/a': { get }, '/b': { get }, '/': { get: {} }, '/9': { get: {} } } },
      'shop',
    );
    expect(found.map(({ id }) => id.length <= 63)).toEqual(Array(4).fill(true));
    expect(new Set(found.map(({ id }) => id)).size).toBe(4);
  });

  test('is one that the server accepts, or has a problem, whatever the document says', () => {
    const { schema } = fc.letrec((tie) => ({
      schema: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom(
          { $ref: '#/components/schemas/A' },
          { $ref: '#/x' },
          { type: 'string', enum: ['a', 1, '\u202e'] },
          { enum: [] },
        ),
        fc.record(
          {
            type: fc.constantFrom('string', 'integer', ['null', 'number'], 'file'),
            minimum: fc.double(),
            maxLength: fc.integer(),
            title: fc.string(),
            const: fc.jsonValue(),
          },
          { requiredKeys: [] },
        ),
        fc.record({ type: fc.constant('array'), items: tie('schema') }, { requiredKeys: [] }),
        fc.record(
          {
            type: fc.constant('object'),
            properties: fc.dictionary(fc.string({ maxLength: 3 }), tie('schema')),
            required: fc.array(fc.string({ maxLength: 1 })),
          },
          { requiredKeys: ['properties'] },
        ),
        fc.record(
          { anyOf: fc.array(tie('schema')), allOf: fc.array(tie('schema')), nullable: fc.boolean() },
          { requiredKeys: [] },
        ),
      ),
    }));
    fc.assert(
      fc.property(schema, schema, fc.string(), (body, a, name) => {
        const parameters = [{ in: 'query', name, schema: a }];
        imported({ operationId: name, description: name, parameters, ...withBody(body as object) }, {
          components: { schemas: { A: a } },
        } as object);
      }),
    );
  });
});
