import { ActionError, invalidRequest } from '@action-platform/contracts/errors';
import { MAX_CUSTOM_JSON_VALUES, MAX_JSON_DEPTH, MAX_JSON_VALUES } from '@action-platform/contracts/limits';
import {
  exactFields,
  exactItems,
  hasExactNumbers,
  idempotencyKeyField,
  isObject,
  keyedItemsField,
  plainMessage,
} from '@action-platform/contracts/schema';
import {
  type CallOfText,
  JsonAmbiguityError,
  JsonDepthError,
  JsonSyntaxError,
  JsonTooManyValuesError,
  readJsonAsync,
} from '@action-platform/json';
import type { z } from 'zod';
import { describeIssues, fieldPath, isMissing } from './issues.ts';

/** The part of an input that stands in the headers of its message, and its call. */
interface InputHeaders {
  /** The idempotency key of a request header; empty without one. `key` is the key of the input when the body names none. */
  readonly key?: string;
  /** Whether an input that takes an idempotency key must have one. */
  readonly isKeyRequired?: boolean;
  /** The call that the body is of. */
  readonly call?: CallOfText;
  /** The parameters in the path of the request: fields of the input, which the body must not name. */
  readonly path?: Readonly<Record<string, string>> | undefined;
}

/** Reads and validates request bodies of one schema. */
export type InputReader<Input> = (body: Uint8Array, headers?: InputHeaders) => Promise<Input>;

/**
 * A reader for the bodies of one contract, which never blocks the event loop for long, however large they are. The reader throws
 * ActionError: `invalid_json` for a body that is not JSON, `invalid_request` for one that does not match the schema, and the code that the
 * contract declares for a field that is kept exactly.
 */
export function inputReader<Schema extends z.ZodObject>(schema: Schema): InputReader<z.output<Schema>> {
  const exact = exactFields(schema);
  const exactNumbers = hasExactNumbers(schema);
  const options = {
    maxDepth: MAX_JSON_DEPTH,
    exact: [...exact.keys()],
    exactItems: exactItems(schema),
    maxValues: exactNumbers ? MAX_CUSTOM_JSON_VALUES : MAX_JSON_VALUES,
    exactNumbers,
  };
  const keyField = idempotencyKeyField(schema);
  const keyedItems = keyedItemsField(schema);
  const acceptsNothing = schema.safeParse({}).success;
  const withRequiredKey = keyField === undefined ? schema : schema.required({ [keyField]: true } as never);
  return async (body, { key = '', isKeyRequired = false, path, call } = {}) => {
    let value: unknown;
    try {
      const isLeftOut = body.length === 0 && (acceptsNothing || path !== undefined);
      const read = isLeftOut ? {} : await readJsonAsync(body, options, call);
      value = withPath(withKey(read, keyField, { key, isKeyRequired }), path);
    } catch (error) {
      throw refusalOf(error, exact);
    }
    const parsed = (isKeyRequired ? withRequiredKey : schema).safeParse(value, { error: plainMessage });
    if (parsed.success) {
      if (isKeyRequired && keyedItems !== undefined) requireKeys(keyedItems, parsed.data[keyedItems]);
      return parsed.data as z.output<Schema>;
    }
    const { issues } = parsed.error;
    const isExactMismatch = (issue: z.core.$ZodIssue) =>
      issue.code === 'custom' && exact.has(String(issue.path[0])) && !isMissing(value, issue.path);
    const mismatch = issues.every(isExactMismatch) ? issues[0] : undefined;
    throw new ActionError(mismatch === undefined ? 'invalid_request' : exact.get(String(mismatch.path[0]))!, {
      message: describeIssues(issues, value, schema),
    });
  };
}

/** Throws ActionError for an item without an idempotency key. */
function requireKeys(field: string, items: unknown): void {
  const without = (items as readonly { idempotency_key?: string }[]).findIndex(
    ({ idempotency_key }) => idempotency_key === undefined,
  );
  if (without < 0) return;
  throw invalidRequest(`${fieldPath([field, without, 'idempotency_key'])} is required.`);
}

/**
 * An input with the idempotency key of its request header, unless the body must name it. Throws ActionError when the body names
 * another one.
 */
function withKey(
  value: unknown,
  field: string | undefined,
  { key: headerKey, isKeyRequired }: { readonly key: string; readonly isKeyRequired: boolean },
): unknown {
  const takesKey = field !== undefined && headerKey !== '';
  if (!takesKey || !isObject(value)) return value;
  const own = value[field];
  if (own === undefined) return isKeyRequired ? value : { ...value, [field]: headerKey };
  if (own === headerKey) return value;
  throw invalidRequest(
    `${field} differs from the header Idempotency-Key: send one of them, or the same in both.`,
  );
}

/** An input with the parameters in the path of its request. Throws ActionError when the body names one. */
function withPath(value: unknown, path: Readonly<Record<string, string>> | undefined): unknown {
  if (path === undefined || !isObject(value)) return value;
  const twice = Object.keys(path).find((name) => Object.hasOwn(value, name));
  if (twice === undefined) return { ...value, ...path };
  throw invalidRequest(`${twice}: is in the path, and has no place in the body.`);
}

/** The refusal of a body that could not be read. */
function refusalOf(error: unknown, exact: ReturnType<typeof exactFields>): unknown {
  if (error instanceof JsonSyntaxError) return new ActionError('invalid_json', { message: error.message });
  if (error instanceof JsonDepthError || error instanceof JsonTooManyValuesError) {
    return invalidRequest(error.message);
  }
  if (!(error instanceof JsonAmbiguityError)) return error;
  return new ActionError(exact.get(String(error.path[0])) ?? 'invalid_request', {
    message: `${fieldPath(error.path)}: ${error.message}`,
  });
}
