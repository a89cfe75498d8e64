import { z } from 'zod';

/** The JSON Schema (2020-12) that callers see of a contract's schema. */
export function publishedSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' });
}

/**
 * Moves the default of a field from `default` into its description: "When left out: 50.". Client generators treat a field
 * with `default` as always present, and model APIs refuse the keyword in strict mode.
 */
export function describeDefault(schema: { default?: unknown; description?: string }): void {
  if (!('default' in schema)) return;
  const whenLeftOut = `When left out: ${JSON.stringify(schema.default)}.`;
  schema.description = [schema.description, whenLeftOut].filter(Boolean).join(' ');
  delete schema.default;
}
