/**
 * The route that refused, as far as `next` depends on it: the execution of an operation (the default) or of one without an
 * idempotency key, discovery, a grant route, a page of the error catalogue, or none, before routing.
 */
export type Place = 'operation' | 'keyless_operation' | 'discovery' | 'grant_route' | 'error_page' | 'http';

/** The catalogue's entry of one error code. */
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
  /** Set when users will ask operators why: the trace of a call refused with this code is kept, like that of a failure. */
  readonly keepsTrace?: true;
  /** Why this happens, for the page at `docs_url`. */
  readonly why: string;
}
