import { type JsonSchema, publishedSchema } from '@action-platform/contracts/schema';
import type { z } from 'zod';
import { similarName } from './similar-name.ts';

/** How many problems of a request, and how many unknown fields of an object, are named. */
const MAX_NAMED = 3;
const MAX_NAME_LENGTH = 100;

/**
 * Describes to its sender what is wrong with a value: `collection_id is required; the request has unknown fields:
 * "collectionId" (did you mean collection_id?).` It names the first problems with their fields, and shortens names that
 * the caller chose.
 */
export function describeIssues(issues: readonly z.core.$ZodIssue[], value: unknown, schema: z.ZodObject) {
  const named = issues.slice(0, MAX_NAMED).map((issue) => describeIssue(issue, value, schema));
  return `${named.join('; ')}${more(issues.length)}.`;
}

/** The path of a field in a request: `data.collectionIds[0]`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'the request';
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return shorten(steps.join('').replace(/^\./, ''));
}

/** Whether the request has no value at a path. */
export function isMissing(value: unknown, path: readonly PropertyKey[]): boolean {
  let here = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return true;
    here = (here as Record<PropertyKey, unknown>)[step];
  }
  return false;
}

function describeIssue(issue: z.core.$ZodIssue, value: unknown, schema: z.ZodObject): string {
  const field = fieldPath(issue.path);
  if (isMissing(value, issue.path)) return `${field} is required`;
  if (issue.code === 'unrecognized_keys') {
    const known = fieldsAt(schema, issue.path);
    const names = issue.keys.slice(0, MAX_NAMED).map((name) => unknownField(name, known));
    return `${field} has unknown fields: ${names.join(', ')}${more(issue.keys.length)}`;
  }
  return `${field}: ${issue.message}`;
}

function unknownField(name: string, known: readonly string[]): string {
  const meant = similarName(name, known);
  return `${JSON.stringify(shorten(name))}${meant === undefined ? '' : ` (did you mean ${meant}?)`}`;
}

/** The fields that the object at a path of an input has. */
function fieldsAt(schema: z.ZodObject, path: readonly PropertyKey[]): string[] {
  let here: JsonSchema | undefined = publishedSchema(schema, 'input');
  for (const step of path) here = typeof step === 'number' ? here?.items : here?.properties?.[String(step)];
  return Object.keys(here?.properties ?? {});
}

function more(count: number): string {
  return count > MAX_NAMED ? `; and ${count - MAX_NAMED} more` : '';
}

/** The beginning of a long name. Strict readers of JSON refuse half of a surrogate pair, where the name may be cut. */
function shorten(name: string): string {
  return name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, MAX_NAME_LENGTH).toWellFormed()}…`;
}
