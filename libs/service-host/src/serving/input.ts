import { ActionError, exactFields, MAX_JSON_DEPTH, MAX_JSON_VALUES } from '@action-platform/contracts';
import {
  JsonAmbiguityError,
  JsonDepthError,
  JsonSyntaxError,
  JsonTooManyValuesError,
  readJsonAsync,
} from '@action-platform/json';
import type { z } from 'zod';
import { describeIssues, isMissing, placeAt } from './issues.ts';
import { plainMessage } from './plain-messages.ts';

/** Reads and validates request bodies of one schema. */
export type InputReader<Input> = (body: Uint8Array) => Promise<Input>;

/**
 * A reader for the bodies of one contract; it never blocks the event loop for long, however large they are. It throws
 * ActionError: `invalid_json` for a body that is not JSON, `invalid_request` for one that does not match the schema, and
 * the code that the contract declares for a field that is kept exactly.
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
    const parsed = schema.safeParse(value, { error: plainMessage });
    if (parsed.success) return parsed.data;
    const { issues } = parsed.error;
    const isExactMismatch = (issue: z.core.$ZodIssue) =>
      issue.code === 'custom' && exact.has(String(issue.path[0])) && !isMissing(value, issue.path);
    const mismatch = issues.every(isExactMismatch) ? issues[0] : undefined;
    throw new ActionError(mismatch === undefined ? 'invalid_request' : exact.get(String(mismatch.path[0]))!, {
      message: describeIssues(issues, value, schema),
    });
  };
}

/** The refusal of a body that could not be read. */
function refusalOf(error: unknown, exact: ReturnType<typeof exactFields>): unknown {
  if (error instanceof JsonSyntaxError) return new ActionError('invalid_json', { message: error.message });
  if (error instanceof JsonDepthError || error instanceof JsonTooManyValuesError) {
    return new ActionError('invalid_request', { message: error.message });
  }
  if (!(error instanceof JsonAmbiguityError)) return error;
  return new ActionError(exact.get(String(error.path[0])) ?? 'invalid_request', {
    message: `${placeAt(error.path)}: ${error.message}`,
  });
}
