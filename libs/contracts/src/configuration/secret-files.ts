import { readFileSync } from 'node:fs';
import type { z } from 'zod';

/** The values of variables read from files, and the problems found. */
interface Secrets {
  readonly values: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
}

/**
 * Reads variables from files: where a schema has `X_FILE` beside `X`, the trimmed content of that file is the value
 * of `X`.
 */
export function readSecretFiles(
  schema: z.ZodObject,
  set: Readonly<Record<string, string | undefined>>,
): Secrets {
  const values: Record<string, string> = {};
  const problems: string[] = [];
  for (const name of Object.keys(schema.shape)) {
    const file = `${name}_FILE` in schema.shape ? set[`${name}_FILE`] : undefined;
    if (file === undefined) continue;
    if (set[name] !== undefined) problems.push(`${name}_FILE: ${name} is set too`);
    try {
      values[name] = readFileSync(file, 'utf8').trim();
    } catch (error) {
      problems.push(`${name}_FILE: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
    }
  }
  return { values, problems };
}
