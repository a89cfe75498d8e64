import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { operationsNamed, toolName } from '../ids/tool-name.ts';
import { operations } from './all-operations.ts';
import { exampleDefinition } from './custom/example.ts';
import { operationOf } from './custom/operation-of.ts';
import { grantedParameters } from './granted-tool.ts';
import { listVisibleFiles } from './knowledge/list-visible-files.ts';
import { sendEmail } from './mail/send-email.ts';
import { getRecord, listRecords, pushRecord } from './record-store/records.ts';
import { describeMcpTool, describeTool, functionTool, hasStructuredResult } from './tool.ts';

const all = [...operations.values()];

/** The keywords that every model API accepts in a schema, also in strict mode. */
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
  test.each(all)('is valid for every model API: $id', (operation) => {
    const tool = functionTool.parse(describeTool(operation, 'scheduled'));
    expect(kept.safeParse(tool.parameters).error?.issues ?? []).toEqual([]);
    expect(Object.keys(tool.parameters)).toEqual(
      expect.arrayContaining(['type', 'properties', 'required', 'additionalProperties']),
    );
  });

  test('has a unique name, from which the operation follows', () => {
    expect(all.map(({ id }) => toolName(id).replace('__', '.'))).toEqual([...operations.keys()]);
  });

  test('is strict when every field is required and the schema is closed', () => {
    expect(describeTool(getRecord, 'interactive').strict).toBe(true);
    expect(describeTool(pushRecord, 'interactive').strict).toBe(false);
    expect(describeTool(pushRecord, 'interactive').parameters).toMatchObject({
      properties: { payload: { type: 'object', additionalProperties: true } },
      required: ['collection_id', 'payload'],
    });
  });

  test('has every field of the input that is not deprecated', () => {
    const { to, connection_id, confirm_send } = describeTool(sendEmail, 'scheduled').parameters
      .properties as Record<string, object>;
    expect(to).toMatchObject({ type: 'array', items: { type: 'string' } });
    expect([connection_id, confirm_send]).toEqual([undefined, undefined]);
  });

  test('describes the default of a field in words', () => {
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

  test('of files says that it lists them and does not read their content', () => {
    expect(describeTool(listVisibleFiles, 'interactive').description).toMatch(/does not read/);
  });

  test.each(all)('of a grant that has $id alone names no other operation', (operation) => {
    const { description, parameters } = describeTool(operation, 'scheduled');
    const granted = grantedParameters(parameters, operation.dataScope, { operations: [operation.id] });
    const named = operationsNamed(JSON.stringify([description, granted]));
    expect(named.filter((id) => id !== operation.id)).toEqual([]);
  });

  test("has a company's texts as they are: a value may look like an operation, and a limit may be of money", () => {
    const description = 'Copied from legacy__orders; see issues.created_at.';
    const limit = { type: 'integer', description: 'In EUR.' };
    const sort = { type: 'string', description, default: 'issues.created_at' };
    const inputSchema = { type: 'object', properties: { limit, sort }, additionalProperties: false };
    const custom = operationOf({
      ...exampleDefinition,
      id: 'custom.list_orders',
      description,
      inputSchema,
    } as never);
    const tool = describeMcpTool(custom, 'scheduled');
    const { properties } = grantedParameters(tool.inputSchema, undefined, { operations: [custom.id] });
    expect([tool.description, properties]).toMatchObject([
      description,
      { limit, sort: { description: `${description} When left out: "issues.created_at".` } },
    ]);
  });

  // Every turn of an agent has the list among its input tokens. A token of o200k_base has some 5 characters here; `npm run e2e -- clients`
  // counts them.
  test('is short: the list of an Owner has at most 4,000 tokens', () => {
    const tokens = Math.ceil(
      JSON.stringify({ tools: all.map((operation) => describeTool(operation, 'scheduled')) }).length / 4.5,
    );
    const advice =
      'shorten what two tools or fields say twice, and leave to the server what it refuses by name';
    expect(tokens > 4_000 ? `${tokens} tokens: ${advice}` : 'short').toBe('short');
  });
});

test.each(all.filter(hasStructuredResult))(
  'the result of $id has the output schema of its tool',
  (operation) => {
    const { outputSchema } = describeMcpTool(operation, 'interactive');
    const schema = z.fromJSONSchema(outputSchema as Parameters<typeof z.fromJSONSchema>[0]);
    expect(schema.safeParse({ result: operation.exampleResult }).error).toBeUndefined();
    expect(schema.safeParse({}).success).toBe(false);
  },
);
