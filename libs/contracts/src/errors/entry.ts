/**
 * Where an error is met, when that changes what its `next` should say. By default that is the execution of an operation. The
 * others are the execution of an operation that takes no idempotency key, discovery, a route that manages grants, where error
 * codes are explained, and before a route was found.
 */
export type Place = 'operation' | 'keyless_operation' | 'discovery' | 'grant_route' | 'error_page' | 'http';

/** What the catalogue says of one error code. */
export interface ErrorEntry {
  /** The HTTP status a caller sees. */
  readonly status: 400 | 401 | 403 | 404 | 405 | 502 | 503;
  /** One sentence on what happened; a response may say it more precisely. */
  readonly message: string;
  /** True when the same caller can succeed by acting on `next`. */
  readonly recoverable: boolean;
  /** The step the caller should take. */
  readonly next: string;
  /** The step where the usual one cannot be taken. */
  readonly nextAt?: { readonly [At in Exclude<Place, 'operation'>]?: string };
  /** Seconds after which trying again makes sense, unless a response says it better (RFC 9110, section 10.2.3). */
  readonly retryAfter?: number;
  /** Set when operators will be asked why: the trace of a call that is refused so is kept, as that of a failure is. */
  readonly keepsTrace?: true;
  /** Why this happens, for the page at `docs_url`. */
  readonly why: string;
}
