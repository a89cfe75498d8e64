import type { z } from 'zod';

/** The names of JSON's types, and of the integers among its numbers. */
const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const formatNames: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  url: 'a URL',
  datetime: 'an RFC 3339 date-time',
};

/**
 * The reason why a schema refuses a value, where the schema has no text of its own. These texts replace the validator's, which
 * name its own types and show its patterns.
 */
export const plainMessage: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeNames[issue.expected] ?? `of type ${issue.expected}`}, not ${typeOf(issue.input)}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'too_big':
      return bound(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
    case 'too_small':
      return bound(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum);
    case 'invalid_format':
      return `must be ${formatNames[issue.format] ?? 'of the form that the documentation of this field shows'}`;
    case 'invalid_union':
      return 'must have one of the forms that the documentation of this field shows';
    default:
      return undefined;
  }
};

function bound(origin: string, relation: string, count: number | bigint): string {
  const plural = count === 1 ? '' : 's';
  if (origin === 'string') return `must have ${relation} ${count} character${plural}`;
  if (origin === 'array') return `must have ${relation} ${count} item${plural}`;
  return `must be ${relation} ${count}`;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && !Number.isInteger(value)) return 'a number with a fraction';
  return typeNames[typeof value] ?? 'this value';
}
