import type { z } from 'zod';
import { approvalPath, docsUrl, type ErrorCode, errorCatalogue, isErrorCode, nextStep } from './catalogue.ts';
import type { Place } from './entry.ts';
import type { errorBody } from './error-body.ts';

/** The six fields of an error response. */
export type ErrorBody = z.output<typeof errorBody> & { code: ErrorCode };

/** Details that the thrower adds to the catalogue's entry. */
export interface ActionErrorDetails {
  /** A more precise message, without bodies, secrets and texts of a driver. */
  message?: string | undefined;
  /** Whole seconds after which the caller should try again, instead of the catalogue's. */
  retryAfter?: number | undefined;
  /** The approval that the call waits for, or that rejected it. */
  approvalId?: string | undefined;
}

/** An error of the catalogue. */
export class ActionError extends Error {
  readonly code: ErrorCode;
  readonly retryAfter: number | undefined;
  readonly approvalId: string | undefined;

  constructor(code: ErrorCode, details: ActionErrorDetails = {}) {
    // No log prints the stack of a refusal, and capturing it would be most of the cost of one.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(details.message ?? errorCatalogue[code].message);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'ActionError';
    this.code = code;
    this.retryAfter = details.retryAfter ?? errorCatalogue[code].retryAfter;
    this.approvalId = details.approvalId;
  }

  /** The HTTP status of the code. */
  get status(): number {
    return errorCatalogue[this.code].status;
  }

  /**
   * The body of the error response: `{error: {…six fields}}`, with the `next` of this place.
   *
   * @param baseUrl of `docs_url`, which is relative without it.
   * @param consoleUrl the base of the page in `next`, for a person who reads it elsewhere.
   */
  toEnvelope(requestId: string, place?: Place, baseUrl = '', consoleUrl = baseUrl): { error: ErrorBody } {
    const { code, message } = this;
    const { recoverable } = errorCatalogue[code];
    const next = nextStep(code, place, this.retryAfter, consoleUrl + approvalPath(this.approvalId));
    return { error: { code, message, recoverable, next, requestId, docs_url: baseUrl + docsUrl(code) } };
  }

  /** Parses an error body from the bus; undefined when it is malformed. */
  static fromEnvelope(
    value: unknown,
    details: Pick<ActionErrorDetails, 'retryAfter' | 'approvalId'> = {},
  ): ActionError | undefined {
    const error = (value as { error?: Partial<ErrorBody> } | null)?.error;
    if (typeof error?.code !== 'string' || !isErrorCode(error.code)) return undefined;
    if (typeof error.message !== 'string') return undefined;
    return new ActionError(error.code, { ...details, message: error.message });
  }
}
