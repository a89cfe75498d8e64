/**
 * The text is not JSON as RFC 8259 defines it, or its bytes are not UTF-8.
 *
 * The message says what is wrong and where, and never repeats any of the text.
 */
export class JsonSyntaxError extends SyntaxError {
  override readonly name = 'JsonSyntaxError';
  /** The defect, without its position. */
  readonly problem: string;
  /** The position of the defect, in UTF-16 code units from the start of the text. */
  readonly offset: number;

  constructor(problem: string, offset: number) {
    super(`${problem} at character ${offset}`);
    this.problem = problem;
    this.offset = offset;
  }
}

/** The text nests objects and arrays in more levels than the reader allows (RFC 8259, section 9). */
export class JsonDepthError extends Error {
  override readonly name = 'JsonDepthError';
  /** The number of levels that would have been accepted. */
  readonly maxDepth: number;

  constructor(maxDepth: number) {
    super(`The JSON text is more than ${maxDepth} levels deep`);
    this.maxDepth = maxDepth;
  }
}

/** Why a JSON text has no single meaning: RFC 7493, section 2.3 (`duplicate_name`) and section 2.1 (`lone_surrogate`). */
export type JsonAmbiguity = 'duplicate_name' | 'lone_surrogate';

const ambiguityMessages: Record<JsonAmbiguity, string> = {
  duplicate_name: 'An object has two members of the same name',
  lone_surrogate: 'A string holds half of a surrogate pair',
};

/** The text is JSON, but two readers may understand it differently, so that keeping it would be a guess. */
export class JsonAmbiguityError extends Error {
  override readonly name = 'JsonAmbiguityError';
  readonly reason: JsonAmbiguity;
  /**
   * Member names and array indexes that lead from the top-level value to the repeated member, or to the string or
   * member name with the lone surrogate. Half a pair in a name is shown as U+FFFD, so that a path can be sent on.
   */
  readonly path: (string | number)[];

  constructor(reason: JsonAmbiguity, path: readonly (string | number)[]) {
    super(ambiguityMessages[reason]);
    this.reason = reason;
    this.path = path.map((step) => (typeof step === 'string' ? step.toWellFormed() : step));
  }
}

/** The text has more values than the reader accepts; exact members do not count. */
export class JsonTooManyValuesError extends Error {
  override readonly name = 'JsonTooManyValuesError';
  /** The number of values that would have been accepted. */
  readonly maxValues: number;

  constructor(maxValues: number) {
    super(`The JSON text has more than ${maxValues} values`);
    this.maxValues = maxValues;
  }
}

/** Too many large texts wait for a thread, or the call of this one waits no longer; the given text was not processed. */
export class JsonBusyError extends Error {
  override readonly name = 'JsonBusyError';

  constructor() {
    super('Too many large JSON texts at once');
  }
}
