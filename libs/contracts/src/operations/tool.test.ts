import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { listVisibleFiles } from './knowledge/list-visible-files.ts';
import { sendEmail } from './mail/send-email.ts';
import { getRecord } from './record-store/get-record.ts';
import { listRecords } from './record-store/list-records.ts';
import { pushRecord } from './record-store/push-record.ts';
import { operations } from './registry.ts';
import { describeTool, functionTool, toolName } from './tool.ts';

const all = [...operations.values()];

/** What every model API takes in a schema, in strict mode too. */
const kept = z.strictObject({
  type: z.enum(['object', 'array', 'string', 'integer', 'boolean']),
  description: z.string().optional(),
  enum: z.array(z.string()).optional(),
  const: z.unknown().optional(),
  get items() {
    return kept.optional();
  },
  get properties() {
    return z.record(z.string(), kept).optional();
  },
  required: z.array(z.string()).optional(),
  additionalProperties: z.boolean().optional(),
});

describe('an operation as a function tool', () => {
  test.each(all)('is one that every model API takes: $id', (operation) => {
    const tool = functionTool.parse(describeTool(operation, 'scheduled'));
    expect(kept.safeParse(tool.parameters).error?.issues ?? []).toEqual([]);
    expect(Object.keys(tool.parameters)).toEqual(
      expect.arrayContaining(['type', 'properties', 'required', 'additionalProperties']),
    );
  });

  test('is told apart from all others by its name, which leads back to the operation', () => {
    expect(all.map(({ id }) => toolName(id).replace('__', '.'))).toEqual([...operations.keys()]);
  });

  test('is strict when a model has nothing to leave out and nothing to add', () => {
    expect(describeTool(getRecord, 'interactive').strict).toBe(true);
    expect(describeTool(pushRecord, 'interactive').strict).toBe(false);
    expect(describeTool(pushRecord, 'interactive').parameters).toMatchObject({
      properties: { payload: { type: 'object', additionalProperties: true } },
      required: ['collection_id', 'payload'],
    });
  });

  test('has every field of the input but those that are deprecated', () => {
    const { to, connection_id, confirm_send } = describeTool(sendEmail, 'scheduled').parameters
      .properties as Record<string, object>;
    expect(to).toMatchObject({ type: 'array', items: { type: 'string' } });
    expect([connection_id, confirm_send]).toEqual([undefined, undefined]);
  });

  test('says in words what a field is taken for when it is left out', () => {
    const { properties } = describeTool(listRecords, 'interactive').parameters as {
      properties: Record<string, { description: string }>;
    };
    expect(properties.state!.description).toBe('Which Records to list. When left out: "active".');
    expect(properties.limit!.description).toMatch(/ When left out: 50\.$/);
  });

  test('has the fields of scheduled calls for grants alone', () => {
    const fields = (caller: 'interactive' | 'scheduled') =>
      Object.keys(describeTool(sendEmail, caller).parameters.properties as object);
    expect(fields('scheduled').filter((name) => !fields('interactive').includes(name))).toEqual([
      'output_definition',
    ]);
  });

  test('of files says that it lists them and does not read what they contain', () => {
    expect(describeTool(listVisibleFiles, 'interactive').description).toMatch(/does not read/);
  });

  // `npm run e2e -- clients` counts the tokens: they were 3.6 to 4.8 characters long.
  test('is short: all of them together are under 10,500 characters', () => {
    expect(
      JSON.stringify({ tools: all.map((operation) => describeTool(operation, 'scheduled')) }).length,
    ).toBeLessThan(10_500);
  });
});
