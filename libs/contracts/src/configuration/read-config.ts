import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { plainMessage } from '../schema/plain-message.ts';
import { WrongConfiguration } from './wrong-configuration.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads environment variables. An empty one counts as unset, and the file of a counterpart `…_FILE` may contain its value.
 * Throws WrongConfiguration, which names every wrong variable.
 */
export function readConfig<Schema extends z.ZodObject>(
  schema: Schema,
  environment: Environment,
): z.output<Schema> {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const { values, problems } = fromFiles(schema, set);
  const all = { ...set, ...values };
  const parsed = schema.safeParse(all, { error: plainMessage });
  problems.push(...(parsed.error?.issues ?? []).map((issue) => describe(issue, all)));
  if (parsed.success && problems.length === 0) return parsed.data;
  throw new WrongConfiguration(problems);
}

/** Where a schema has `X_FILE` beside `X`, the trimmed content of that file is the value of `X`. */
function fromFiles(schema: z.ZodObject, set: Environment) {
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

/** Names the variable and its problem, in an operator's terms. */
function describe(issue: z.core.$ZodIssue, set: Environment): string {
  const { path, code, message } = issue;
  const name = path.join('.');
  if (path.length === 1 && set[name] === undefined) return `${name} is required`;
  if (code === 'invalid_type' && issue.expected === 'number') return `${name}: must be a number`;
  return `${name}: ${message}`;
}
