import { z } from 'zod';

/** The rows that docs/configuration.md must have for a schema of environment variables. */
export function configurationRows(schema: z.ZodObject): string[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties).map(([name, property]) => {
    const { default: fallback, description } = property as { default?: unknown; description?: string };
    const preset = fallback === undefined ? (required.includes(name) ? '*required*' : '') : `\`${fallback}\``;
    return `| \`${name}\` | ${preset} | ${description} |`;
  });
}
