import type { z } from 'zod';
import { WrongConfiguration } from './wrong-configuration.ts';

/** Variables as a process finds them in its environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads environment variables; an empty one counts as not set. Throws WrongConfiguration, which names every one that is wrong. */
export function readConfig<Schema extends z.ZodObject>(
  schema: Schema,
  environment: Environment,
): z.output<Schema> {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(set);
  if (parsed.success) return parsed.data;
  throw new WrongConfiguration(
    parsed.error.issues.map(({ path, message }) => {
      const name = path.join('.');
      return set[name] === undefined && path.length === 1 ? `${name} is required` : `${name}: ${message}`;
    }),
  );
}
