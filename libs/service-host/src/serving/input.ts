import { ActionError, exactFields, MAX_JSON_DEPTH, MAX_JSON_VALUES } from '@action-platform/contracts';
import {
  JsonAmbiguityError,
  JsonDepthError,
  JsonSyntaxError,
  JsonTooManyValuesError,
  readJsonAsync,
} from '@action-platform/json';
import type { z } from 'zod';

/** Reads and validates request bodies of one schema. */
export type InputReader<Input> = (body: Uint8Array) => Promise<Input>;

const MAX_ISSUES_NAMED = 5;
const MAX_NAME_LENGTH = 100;

/**
 * A reader for the bodies of one contract, which holds up nobody however large they are. It throws ActionError: `invalid_json` for what is not JSON,
 * `invalid_request` for what does not match the schema, and for a field that is kept exactly the code that
 * the contract declares.
 */
export function inputReader<Schema extends z.ZodObject>(schema: Schema): InputReader<z.output<Schema>> {
  const exact = exactFields(schema);
  const options = { maxDepth: MAX_JSON_DEPTH, exact: [...exact.keys()], maxValues: MAX_JSON_VALUES };
  const acceptsNothing = schema.safeParse({}).success;
  return async (body) => {
    let value: unknown;
    try {
      const isLeftOut = body.length === 0 && acceptsNothing;
      value = isLeftOut ? {} : await readJsonAsync(body, options);
    } catch (error) {
      throw refusalOf(error, exact);
    }
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const { issues } = parsed.error;
    const isExactMismatch = (issue: z.core.$ZodIssue) =>
      issue.code === 'custom' && exact.has(String(issue.path[0])) && !isMissing(value, issue.path);
    const mismatch = issues.every(isExactMismatch) ? issues[0] : undefined;
    throw new ActionError(mismatch === undefined ? 'invalid_request' : exact.get(String(mismatch.path[0]))!, {
      message: describeIssues(issues, value),
    });
  };
}

/** What is wrong with a body that could not be read. */
function refusalOf(error: unknown, exact: ReturnType<typeof exactFields>): unknown {
  if (error instanceof JsonSyntaxError) return new ActionError('invalid_json', { message: error.message });
  if (error instanceof JsonDepthError || error instanceof JsonTooManyValuesError) {
    return new ActionError('invalid_request', { message: error.message });
  }
  if (!(error instanceof JsonAmbiguityError)) return error;
  return new ActionError(exact.get(String(error.path[0])) ?? 'invalid_request', {
    message: `${shorten(error.path.join('.'))}: ${error.message}`,
  });
}

function describeIssues(issues: readonly z.core.$ZodIssue[], value: unknown): string {
  const named = issues.slice(0, MAX_ISSUES_NAMED).map((issue) => describeIssue(issue, value));
  const others = issues.length - named.length;
  return `${named.join('; ')}${others > 0 ? `; and ${others} more` : ''}.`;
}

function describeIssue(issue: z.core.$ZodIssue, value: unknown): string {
  const place = issue.path.length === 0 ? 'the request' : shorten(issue.path.join('.'));
  if (isMissing(value, issue.path)) return `${place} is required`;
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.slice(0, MAX_ISSUES_NAMED).map((name) => JSON.stringify(shorten(name)));
    return `${place} has unknown fields: ${names.join(', ')}`;
  }
  return `${place}: ${issue.message}`;
}

/** Whether there is nothing at a path of the request. */
function isMissing(value: unknown, path: readonly PropertyKey[]): boolean {
  let here = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return true;
    here = (here as Record<PropertyKey, unknown>)[step];
  }
  return false;
}

function shorten(name: string): string {
  return name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, MAX_NAME_LENGTH)}…`;
}
