import { describe, expect, test } from '@jest/globals';
import type { z } from 'zod';
import { calls, operatorCalls } from '../calls/all-calls.ts';
import { errorCatalogue } from '../errors/catalogue.ts';
import { memberRoutes } from '../resources/all-resources.ts';
import { type JsonSchema, publishedSchema } from '../schema/published-schema.ts';
import { idempotencyKeyField, keyedItemsField } from '../schema/request-headers.ts';
import { operations } from './all-operations.ts';
import { describeOperation, operationDescriptor } from './descriptor.ts';

const all = [...operations.values()];

describe('the registry of operations', () => {
  test('is sorted by id', () => {
    const ids = [...operations.keys()];
    expect(ids).toEqual(ids.toSorted());
  });

  test.each(all)('$id has a well-formed descriptor', (operation) => {
    const descriptor = describeOperation(operation);
    expect(operationDescriptor.parse(descriptor)).toEqual(descriptor);
    expect(descriptor.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(descriptor.errors.length).toBe(new Set(descriptor.errors.map(({ code }) => code)).size);
  });

  test.each(all)('the next step after an unknown outcome of $id is possible for it', (operation) => {
    const { errors } = describeOperation(operation);
    const unknown = errors.find(({ code }) => code === 'action_infrastructure_failure');
    expect(unknown !== undefined).toBe(operation.effect === 'write');
    const speaksOfKey = /idempotency key/.test(unknown?.next ?? '');
    expect(speaksOfKey).toBe(operation.idempotent === 'by_key');
  });
});

/** The fields of an input and of the objects in it, by path. */
function fieldsOf(schema: z.ZodObject): [string, JsonSchema][] {
  const { properties = {} } = publishedSchema(schema, 'input');
  const nested = (fields: Readonly<Record<string, JsonSchema>>, at: string): [string, JsonSchema][] =>
    Object.entries(fields).flatMap(([name, field]) => [
      [`${at}${name}`, field],
      ...nested(field.properties ?? {}, `${at}${name}.`),
    ]);
  return nested(properties, '');
}

const writes = [...all, ...memberRoutes].filter(({ effect }) => effect === 'write');

test.each(writes)('$id names the ids for its audit entry', ({ targets, targetMembers }) => {
  expect(targets ?? targetMembers).toBeDefined();
});

describe('every input', () => {
  const fromClients = [
    ...all.map(({ id, input }) => [id, input] as const),
    ...memberRoutes.map(({ id, input }) => [id, input] as const),
  ];
  const fromOperators = operatorCalls.map(({ id, input }) => [id, input] as const);

  test.each([...fromClients, ...fromOperators])('of %s describes its fields', (_name, input) => {
    const silent = fieldsOf(input).filter(([, { description }]) => !description);
    expect(silent.map(([path]) => path)).toEqual([]);
  });

  test.each(fromClients)('of %s gives an example of its fields', (_name, input) => {
    const bare = fieldsOf(input).filter(([, { examples }]) => !examples?.length);
    expect(bare.map(([path]) => path)).toEqual([]);
  });

  test('has an idempotency key when a repetition would change something', () => {
    const hasKey = (input: z.ZodObject) =>
      idempotencyKeyField(input) !== undefined || keyedItemsField(input) !== undefined;
    for (const { input, idempotent } of calls) expect(idempotent === 'by_key').toBe(hasKey(input));
  });

  test('from another process tolerates unknown fields', () => {
    for (const { input, audience } of calls) {
      if (audience === 'operation' || audience === 'member') continue;
      const issues = input.safeParse({ a_field_of_the_next_version: 1 }).error?.issues ?? [];
      expect(issues.filter(({ code }) => code === 'unrecognized_keys')).toEqual([]);
    }
  });
});

describe('the error catalogue', () => {
  test.each(Object.entries(errorCatalogue))('%s has a message, a reason and a next step', (code, entry) => {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    for (const sentence of [entry.message, entry.next, ...Object.values(entry.nextAt ?? {}), entry.why])
      expect(sentence).toMatch(/^[A-Z].*\.$/s);
  });
});
