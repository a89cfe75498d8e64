import type { DialectSchema } from '@action-platform/contracts/operations';
import { aMember } from '@action-platform/testing';
import { expect, test } from '@jest/globals';
import { testCustomOperations } from '../test-support/test-custom-operations.ts';

const custom = testCustomOperations();

const whole: DialectSchema = { type: 'integer' };
const number = (more: Partial<DialectSchema>): DialectSchema => ({ type: 'number', ...more });

const judged: readonly (readonly [
  schema: DialectSchema,
  accepted: readonly string[],
  refused: readonly string[],
])[] = [
  [whole, ['1.0', '1e300', '10e-1', '9007199254740993', '1e400'], ['1.0000000000000000000001', '1e-400']],
  [number({}), ['1.0000000000000000000001', '-1e400'], ['"1"', 'null', '{}', '[]']],
  [number({ maximum: 100 }), ['100.000', '99.99999999999999999999'], ['100.00000000000000000001', '1e400']],
  [number({ minimum: -0.1 }), ['-0.1', '-0.09999999999999999999'], ['-0.10000000000000000001', '-1e400']],
  [number({ exclusiveMaximum: 1e21 }), ['999999999999999999999.9'], ['1e21', '1000000000000000000000.0001']],
  [number({ exclusiveMinimum: 0 }), ['1e-400'], ['0e400', '-0', '-1e-400']],
  [number({ enum: [0.1, 2] }), ['1e-1', '2.00'], ['0.1000000000000000055511151231257827']],
  [number({ const: 1 }), ['1.0'], ['1.00000000000000000001', '0.99999999999999999999']],
  [{ type: 'object', additionalProperties: true }, ['{"a":1.0000000000000000000001}'], ['1e400']],
];

test.each(judged)('%j judges numbers as they were sent, and sends them so', async (n, accepted, refused) => {
  const member = aMember();
  const properties = { n, list: { type: 'array', items: n }, note: { type: 'string' } } as const;
  const operation = custom.define(member.workspaceId, {
    effect: 'read',
    inputSchema: { type: 'object', properties, additionalProperties: false },
  });
  // Another thread reads the larger text.
  const inputs = (text: string) => [
    `{"n":${text}}`,
    `{"list":[${text},${text}],"note":"${'x'.repeat(33 * 1024)}"}`,
  ];
  for (const input of accepted.flatMap(inputs)) {
    expect([input, (await custom.call(member, operation, input)).code]).toEqual([input, 'ok']);
    expect(custom.received.at(-1)!.body).toBe(input);
  }
  for (const input of refused.flatMap(inputs))
    expect([input, (await custom.call(member, operation, input)).code]).toEqual([input, 'invalid_request']);
});
