/**
 * The kind of route that refused a request, as far as `next` depends on it: the execution of an operation (the default) or
 * of one without an idempotency key, an item of a call (its step names no operation, because the gateway does not limit it to a grant),
 * discovery, a route of signed-in Members, a page of the error catalogue, the Model Context Protocol or a tool
 * without an idempotency key there, the authorization server, whose errors have no `next`, or `http` before routing.
 */
export type RouteKind =
  | 'operation'
  | 'keyless_operation'
  | 'item'
  | 'discovery'
  | 'member_route'
  | 'error_page'
  | 'mcp'
  | 'keyless_tool'
  | 'oauth'
  | 'http';

export interface ErrorEntry {
  readonly status: 400 | 401 | 403 | 404 | 405 | 502 | 503;
  /** One sentence on the cause; a response may be more precise. */
  readonly message: string;
  /** Whether the same caller can succeed by acting on `next`. */
  readonly recoverable: boolean;
  readonly next: string;
  /** The next step on routes where `next` is impossible. `{seconds}` stands for those of `retryAfter`, in each `{page}` for the console's page of the approval. */
  readonly nextAt?: { readonly [At in Exclude<RouteKind, 'operation'>]?: string };
  /** The field to send, whose values a routine grant limits: its step names them. */
  readonly grantedField?: 'sender_id' | 'output_definition';
  /** The thing whose id an answer with this code has, in the header of its kind. */
  readonly names?: 'record' | 'approval';
  /** Seconds after which the caller should try again, unless a response has its own (RFC 9110, section 10.2.3). */
  readonly retryAfter?: number;
  /** Set when users will ask operators for the reason: processes keep the trace of a refusal with this code, as of a failure. */
  readonly keepsTrace?: true;
  /** The reason, for the page at `docs_url`. */
  readonly why: string;
}

/** An entry as it is stated: most errors are recoverable. */
export type StatedError = Omit<ErrorEntry, 'recoverable'> & { readonly recoverable?: false };
