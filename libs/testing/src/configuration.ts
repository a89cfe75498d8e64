import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Returns the rows for a schema of environment variables that neither docs/configuration.md nor docs/limits.md has. */
export function undocumentedVariables(schema: z.ZodObject): string[] {
  const documented = ['docs/configuration.md', 'docs/limits.md'].flatMap((file) =>
    readFileSync(file, 'utf8').split('\n'),
  );
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const rows = Object.entries(properties).map(([name, property]) => {
    const { default: fallback, description } = property as { default?: unknown; description?: string };
    const preset = fallback === undefined ? (required.includes(name) ? '*required*' : '') : `\`${fallback}\``;
    return `| \`${name}\` | ${preset} | ${description} |`;
  });
  // A row of limits.md has a further column.
  return rows.filter((row) => !documented.some((line) => line.startsWith(row)));
}
