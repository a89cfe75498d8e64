import { z } from 'zod';

/** The JSON Schema (2020-12) that callers see of a contract's schema. */
export function publishedSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' });
}
