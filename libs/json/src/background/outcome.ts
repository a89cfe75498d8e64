import { JsonAmbiguityError, JsonDepthError, JsonSyntaxError, JsonTooManyValuesError } from '../errors.ts';

/** The outcome of work in another thread. Errors lose their class in the transfer, so a refusal travels as its parts. */
export type Outcome<Value> = { readonly value: Value } | { readonly refusal: Refusal };

type Refusal =
  | { readonly kind: 'syntax'; readonly problem: string; readonly offset: number }
  | { readonly kind: 'depth'; readonly maxDepth: number }
  | {
      readonly kind: 'ambiguity';
      readonly reason: JsonAmbiguityError['reason'];
      readonly path: JsonAmbiguityError['path'];
    }
  | { readonly kind: 'values'; readonly maxValues: number };

/** Does the work; only the errors that refuse a text become a refusal. */
export function outcomeOf<Value>(work: () => Value): Outcome<Value> {
  try {
    return { value: work() };
  } catch (error) {
    return { refusal: refusalOf(error) };
  }
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof JsonSyntaxError) {
    return { kind: 'syntax', problem: error.problem, offset: error.offset };
  }
  if (error instanceof JsonDepthError) return { kind: 'depth', maxDepth: error.maxDepth };
  if (error instanceof JsonAmbiguityError) {
    return { kind: 'ambiguity', reason: error.reason, path: error.path };
  }
  if (error instanceof JsonTooManyValuesError) return { kind: 'values', maxValues: error.maxValues };
  throw error;
}

/** The value of an outcome; throws what the work has thrown. */
export function resultOf<Value>(outcome: Outcome<Value>): Value {
  if ('value' in outcome) return outcome.value;
  const { refusal } = outcome;
  switch (refusal.kind) {
    case 'syntax':
      throw new JsonSyntaxError(refusal.problem, refusal.offset);
    case 'depth':
      throw new JsonDepthError(refusal.maxDepth);
    case 'ambiguity':
      throw new JsonAmbiguityError(refusal.reason, refusal.path);
    case 'values':
      throw new JsonTooManyValuesError(refusal.maxValues);
  }
}
