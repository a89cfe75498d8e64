import { z } from 'zod';

/** A text; none by default. */
export function optionalText(description: string) {
  return z.string().optional().describe(description);
}

/** `true` or `false`, the default. */
export function flag(description: string) {
  return z.stringbool({ error: 'must be true or false' }).prefault('false').describe(description);
}

/** A whole number within bounds. */
export function wholeNumber(
  description: string,
  bounds: { readonly min: number; readonly max?: number; readonly byDefault: number },
) {
  const { min, max = Number.MAX_SAFE_INTEGER, byDefault } = bounds;
  return z.coerce.number().int().min(min).max(max).default(byDefault).describe(description);
}

/** A port; none by default. */
export function optionalPort(description: string) {
  return z.coerce.number().int().min(1).max(65_535).optional().describe(description);
}

/** A URL with `http` or `https`, or with another protocol; none by default. */
export function optionalUrl(description: string, protocol = /^https?$/) {
  return z.url({ protocol }).optional().describe(description);
}

/** A value of a schema, as JSON. */
export function jsonText<Schema extends z.ZodType>(schema: Schema) {
  return z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue('is not JSON');
        return z.NEVER;
      }
    })
    .pipe(schema);
}

/** The items of a list with commas, without white space around them and empty ones. */
export function itemsOf(list = ''): string[] {
  return list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
