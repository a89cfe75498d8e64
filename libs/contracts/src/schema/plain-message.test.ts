import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { plainMessage } from './plain-message.ts';

const messageOf = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value, { error: plainMessage }).error!.issues[0]!.message;

test.each<[string, z.ZodType, unknown]>([
  ['must be at most 200', z.int().max(200), 201],
  ['must be at least 1', z.int().min(1), 0],
  ['must be more than 0', z.number().gt(0), 0],
  ['must be less than 1', z.number().lt(1), 1],
  ['must be an integer, not a number with a fraction', z.int(), 1.5],
  ['must be a number, not a string', z.int(), '5'],
  ['must be a string, not null', z.string(), null],
  ['must be true or false, not a string', z.boolean(), 'true'],
  ['must be an array, not an object', z.array(z.string()), {}],
  ['must be an object, not an array', z.strictObject({}), []],
  ['must be an object, not true', z.record(z.string(), z.string()), true],
  ['must have at least 1 item', z.array(z.string()).min(1), []],
  ['must have at most 2 items', z.array(z.string()).max(2), ['a', 'b', 'c']],
  ['must have at most 3 characters', z.string().max(3), 'long'],
  ['must be one of "active", "archived"', z.enum(['active', 'archived']), 'lost'],
  ['must be "add"', z.literal('add'), 'remove'],
  ['must be an e-mail address', z.email({ pattern: /^a@b$/ }), 'nobody'],
  ['must be of the form that the documentation of this field shows', z.string().regex(/^[a-z]+$/), 'A'],
  ['must be lower case', z.string().regex(/^[a-z]+$/, 'must be lower case'), 'A'],
  ['must be even', z.int().refine((n) => n % 2 === 0, 'must be even'), 1],
  [
    'must have one of the forms that the documentation of this field shows',
    z.union([z.string(), z.int()]),
    {},
  ],
])('%s', (message, schema, value) => {
  expect(messageOf(schema, value)).toBe(message);
});
