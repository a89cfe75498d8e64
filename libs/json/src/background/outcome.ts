import { JsonAmbiguityError, JsonDepthError, JsonSyntaxError, JsonTooManyValuesError } from '../errors.ts';

/** The errors that refuse a text. */
type Refusal = JsonSyntaxError | JsonDepthError | JsonAmbiguityError | JsonTooManyValuesError;

/** The outcome of work in another thread. Errors lose their class in the transfer, so a refusal is transferred as its fields. */
export type Processed<Value> = { readonly value: Value } | { readonly refusal: Omit<Refusal, 'message'> };

/** Makes an error from its fields, by its name. */
const fromFields: { readonly [Name in Refusal['name']]: (fields: Refusal & { name: Name }) => Refusal } = {
  JsonSyntaxError: ({ problem, offset }) => new JsonSyntaxError(problem, offset),
  JsonDepthError: ({ maxDepth }) => new JsonDepthError(maxDepth),
  JsonAmbiguityError: ({ reason, path }) => new JsonAmbiguityError(reason, path),
  JsonTooManyValuesError: ({ maxValues }) => new JsonTooManyValuesError(maxValues),
};

/** Does the work; only the errors that refuse a text become a refusal. */
export function outcomeOf<Value>(work: () => Value): Processed<Value> {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof Error && error.name in fromFields) return { refusal: { ...(error as Refusal) } };
    throw error;
  }
}

/** The value of an outcome; throws what the work has thrown. */
export function resultOf<Value>(outcome: Processed<Value>): Value {
  if ('value' in outcome) return outcome.value;
  const { refusal } = outcome;
  throw (fromFields[refusal.name] as (fields: typeof refusal) => Refusal)(refusal);
}
