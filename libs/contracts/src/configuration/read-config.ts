import type { z } from 'zod';
import { plainMessage } from '../schema/plain-message.ts';
import { readSecretFiles } from './secret-files.ts';
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
  const secrets = readSecretFiles(schema, set);
  const all = { ...set, ...secrets.values };
  const parsed = schema.safeParse(all, { error: plainMessage });
  const issues = parsed.error?.issues.map((issue) => describe(issue, all)) ?? [];
  const problems = [...secrets.problems, ...issues];
  if (parsed.success && problems.length === 0) return parsed.data;
  throw new WrongConfiguration(problems);
}

/** Names the variable and its problem, in an operator's terms. */
function describe(issue: z.core.$ZodIssue, set: Environment): string {
  const { path, code, message } = issue;
  const name = path.join('.');
  if (path.length === 1 && set[name] === undefined) return `${name} is required`;
  if (code === 'invalid_type' && issue.expected === 'number') return `${name}: must be a number`;
  return `${name}: ${message}`;
}
