import type { z } from 'zod';
import { docsUrl, type ErrorCode, errorCatalogue, isErrorCode, nextStep } from './catalogue.ts';
import type { Place } from './entry.ts';
import type { errorBody } from './error-body.ts';

/** The six fields of an error response. */
export type ErrorBody = z.output<typeof errorBody> & { code: ErrorCode };

/** What a thrower may add to the catalogue's entry. */
export interface ActionErrorDetails {
  /** Says more precisely what happened. Never put a body, a secret or a driver's text in it. */
  message?: string | undefined;
  /** Whole seconds after which trying again makes sense, when the catalogue does not say it. */
  retryAfter?: number | undefined;
}

/** An answer from the error catalogue, thrown by whoever finds the reason. */
export class ActionError extends Error {
  readonly code: ErrorCode;
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, details: ActionErrorDetails = {}) {
    // A refusal says what its caller is to do, and nobody asks for its stack: to take it would be most of its cost.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(details.message ?? errorCatalogue[code].message);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'ActionError';
    this.code = code;
    this.retryAfter = details.retryAfter ?? errorCatalogue[code].retryAfter;
  }

  /** The HTTP status of the code. */
  get status(): number {
    return errorCatalogue[this.code].status;
  }

  /** The body of the error response: `{error: {…six fields}}`; `next` is one that can be taken at this place. */
  toEnvelope(requestId: string, place?: Place): { error: ErrorBody } {
    const { code, message } = this;
    const { recoverable } = errorCatalogue[code];
    const next = nextStep(code, place);
    return { error: { code, message, recoverable, next, requestId, docs_url: docsUrl(code) } };
  }

  /** Reads an error body back, as it came over the bus; undefined when it is none. */
  static fromEnvelope(value: unknown, retryAfter?: number): ActionError | undefined {
    const error = (value as { error?: Partial<ErrorBody> } | null)?.error;
    if (typeof error?.code !== 'string' || !isErrorCode(error.code)) return undefined;
    if (typeof error.message !== 'string') return undefined;
    return new ActionError(error.code, { message: error.message, retryAfter });
  }
}
