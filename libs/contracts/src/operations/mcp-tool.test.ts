import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { operations } from './all-operations.ts';
import { describeMcpTool, hasStructuredResult } from './mcp-tool.ts';

const structured = [...operations.values()].filter(hasStructuredResult);

test.each(structured)('the result of $id has the output schema of its tool', (operation) => {
  const { outputSchema } = describeMcpTool(operation, 'interactive');
  const schema = z.fromJSONSchema(outputSchema as Parameters<typeof z.fromJSONSchema>[0]);
  expect(schema.safeParse({ result: operation.exampleResult }).error).toBeUndefined();
  expect(schema.safeParse({}).success).toBe(false);
});
