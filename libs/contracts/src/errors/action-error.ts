import type { z } from 'zod';
import { approvalPath, docsUrl, type ErrorCode, errorCatalogue, isErrorCode, nextStep } from './catalogue.ts';
import { DECLARED_CODE, type DeclaredRefusal } from './declared-refusal.ts';
import type { RouteKind } from './entry.ts';
import type { errorBody } from './error-body.ts';
import { type Permissions, withPossibleStep } from './possible-step.ts';

/** The six fields of an error response. */
export type ErrorBody = z.output<typeof errorBody>;

/** Details that the thrower adds to the catalogue's entry. */
export interface ActionErrorDetails {
  /** A more precise message, without bodies, secrets and texts of a driver. */
  message?: string | undefined;
  /** The step that the caller should take, instead of the catalogue's. */
  next?: string | undefined;
  /** Whole seconds after which the caller should try again, instead of the catalogue's. */
  retryAfter?: number | undefined;
  /** The approval that the call waits for, or that rejected it. */
  approvalId?: string | undefined;
  /** The Record that it is about, which the caller may see. */
  recordId?: string | undefined;
  /** For how long the limit of the Workspace refuses further calls, in milliseconds. */
  limitedForMs?: number | undefined;
  /** Whether the error repeats the first outcome of an idempotency key. */
  isReplay?: boolean | undefined;
  /** The declared refusal of a company's endpoint, which callers see in the place of `custom_operation_refused`. */
  declared?: Omit<DeclaredRefusal, 'message'> | undefined;
}

/** The code of an answer that has a declared refusal. */
const REFUSED = 'custom_operation_refused';

/** An error of the catalogue. */
export class ActionError extends Error {
  readonly code: ErrorCode;
  readonly next: string | undefined;
  readonly retryAfter: number | undefined;
  readonly approvalId: string | undefined;
  readonly recordId: string | undefined;
  readonly limitedForMs: number | undefined;
  readonly isReplay: boolean;
  readonly #declared: ActionErrorDetails['declared'];
  #permissions: Permissions | undefined;

  constructor(code: ErrorCode, details: ActionErrorDetails = {}) {
    // No log prints the stack of a refusal, and capturing it would be most of the cost of one.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(details.message ?? errorCatalogue[code].message);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'ActionError';
    this.code = code;
    this.next = details.next;
    this.retryAfter = details.retryAfter ?? errorCatalogue[code].retryAfter;
    this.approvalId = details.approvalId;
    this.recordId = details.recordId;
    this.limitedForMs = details.limitedForMs;
    this.isReplay = details.isReplay === true;
    this.#declared = code === REFUSED ? details.declared : undefined;
  }

  /** The code that callers see: that of a declared refusal, or of the catalogue. */
  get publicCode(): string {
    return this.#declared?.code ?? this.code;
  }

  get status(): number {
    return errorCatalogue[this.code].status;
  }

  /** Whether the platform failed, and not a caller, or a Workspace beyond its own limit. */
  get isPlatformFailure(): boolean {
    return this.status >= 500 && this.limitedForMs === undefined;
  }

  /** Limits the step in the error response to what a caller with these permissions can do. */
  limitTo(permissions: Permissions): void {
    this.#permissions = permissions;
  }

  /**
   * The body of the error response: `{error: {…six fields}}`, with the `next` of this kind of route.
   *
   * @param baseUrl of `docs_url`, which is relative without it.
   * @param consoleUrl the base of the page in `next`, for a person who reads it elsewhere.
   */
  toEnvelope(requestId: string, kind?: RouteKind, baseUrl = '', consoleUrl = baseUrl): { error: ErrorBody } {
    const { code, message } = this;
    const page = consoleUrl + approvalPath(this.approvalId);
    const next = this.next ?? nextStep(code, kind, this.retryAfter, page);
    const { recoverable } = errorCatalogue[code];
    const body = { code, message, recoverable, next, ...this.#declared };
    const possible = this.#permissions ? withPossibleStep(body, this.#permissions) : body;
    return { error: { ...possible, requestId, docs_url: baseUrl + docsUrl(code) } };
  }

  /**
   * Parses an error body from the bus; undefined when it is malformed.
   *
   * @param declares whether its sender may answer with the refusals that companies declare.
   */
  static fromEnvelope(
    value: unknown,
    details: Omit<ActionErrorDetails, 'message' | 'declared'> = {},
    declares = false,
  ): ActionError | undefined {
    const error = (value as { error?: Partial<ErrorBody> } | null)?.error;
    if (typeof error?.code !== 'string' || typeof error.message !== 'string') return undefined;
    const { code, message } = error;
    if (isErrorCode(code)) return new ActionError(code, { ...details, message });
    const declared = declares ? declaredIn(error) : undefined;
    return declared && new ActionError(REFUSED, { ...details, message, declared });
  }
}

/** A declared refusal in an error body; undefined in any other. */
function declaredIn({ code, next, recoverable }: Partial<ErrorBody>): ActionErrorDetails['declared'] {
  const isDeclaredRefusal =
    DECLARED_CODE.test(code!) && typeof next === 'string' && typeof recoverable === 'boolean';
  return isDeclaredRefusal ? { code: code!, next, recoverable } : undefined;
}
