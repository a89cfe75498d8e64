import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { operations } from '../operations/all-operations.ts';
import { grantRoutes } from '../resources/grants.ts';
import { exactFields } from './exact-object.ts';
import { largestBody } from './largest-body.ts';
import { text } from './text.ts';

const MIB = 2 ** 20;
const limits = { REQUEST_BODY_MAX_BYTES: 2 * MIB, RECORD_PAYLOAD_MAX_BYTES: MIB / 4 };

describe('the largest body', () => {
  test.each([
    ['64 KiB at least', z.strictObject({ id: text({ max: 10 }) }), 64 * 1024],
    ['the longest strings, escaped', z.strictObject({ a: text({ max: 10_000 }) }), 2 + 16 + 120_002],
    ['the longest lists', z.strictObject({ a: z.array(z.boolean()).max(1000) }), 2 + 16 + 2 + 257_000],
    ['the limit for a text without bounds', z.strictObject({ a: z.string() }), 2 * MIB],
    ['the limit for a list without bounds', z.strictObject({ a: z.array(z.boolean()) }), 2 * MIB],
    ['the limit where unknown fields are tolerated', z.looseObject({ a: z.boolean() }), 2 * MIB],
  ])('is %s', (_what, schema, bytes) => {
    expect(largestBody(schema, limits)).toBe(bytes);
  });

  test('never exceeds the limit of the operator', () => {
    expect(
      largestBody(z.strictObject({ id: z.boolean() }), { ...limits, REQUEST_BODY_MAX_BYTES: 1000 }),
    ).toBe(1000);
  });

  test('is small for an operation grant, and fits a thousand ids for a routine grant', () => {
    expect(largestBody(grantRoutes.operation.create.input, limits)).toBe(64 * 1024);
    expect(largestBody(grantRoutes.routine.create.input, limits)).toBe(2 * MIB);
  });

  test('is large only for operations that carry a payload, a document or a list of names', () => {
    const large = [...operations.values()].filter(({ input }) => largestBody(input, limits) > 64 * 1024);
    expect(large.map(({ id }) => id).toSorted()).toEqual([
      'events.list_events',
      'mail.send_email',
      'procedures.create_draft',
      'record_store.get_records',
      'record_store.patch_record',
      'record_store.push_record',
      'record_store.push_records',
      'record_store.replace_record',
    ]);
  });

  test.each([...operations.values()].filter(({ input }) => exactFields(input).size > 0))(
    'of $id is twice the payload limit and a small envelope',
    ({ input }) => {
      const bytes = largestBody(input, limits);
      expect(bytes).toBeGreaterThan(MIB / 2 + 2 * 1024);
      expect(bytes).toBeLessThan(MIB / 2 + 16 * 1024);
    },
  );
});
