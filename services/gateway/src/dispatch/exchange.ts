import { ActionError, type Credential } from '@action-platform/contracts';

/**
 * A request on its way to its answer, whatever brought it: HTTP is one way, others will come. Nothing here or beside
 * this file knows any of them.
 */
export interface Exchange {
  readonly requestId: string;
  /** Where the request belongs in its trace (W3C Trace Context), to be passed on. */
  readonly traceparent: string;
  /** When the caller is answered at the latest, in milliseconds of `performance.now()`. */
  readonly deadline: number;
  /** The value of an Authorization header (RFC 6750, section 2.1). */
  readonly authorization: string | undefined;
  /** Takes whom the caller belongs to, once that is known. */
  readonly belongsTo: (owner: string) => void;
  /** What becomes known of it on its way. */
  readonly findings: Findings;
  /** Takes what is to be called once the answer is delivered or nobody waits for it: till then the call is in flight. */
  readonly whenDelivered: (leave: () => void) => void;
}

/** What becomes known of an exchange on its way, for those who watch over the platform. */
export interface Findings {
  /** The operation that is called, when there is one of that id. */
  operation?: string;
  /** Who calls, as the token says. */
  credential?: Credential;
  /** On whose authority it is done, as the grants service wrote it. */
  principal?: string;
  /** Why it is refused, or fails. */
  error?: ActionError;
  /** How long grants took to say whether it may be done, and the service to do it, in milliseconds. */
  authorityMs?: number;
  serviceMs?: number;
}

/** The body of a request, which may still be arriving. */
export interface Body {
  /** Whether all of it is here already; does not wait for what is on its way, and takes none of it. */
  hasArrived(): Promise<boolean>;
  /** All of it. Throws ActionError when it is too large, is not there by the deadline or cannot be a JSON text. */
  read(): Promise<Uint8Array>;
}

/** A request that is not whole or not well formed: what its caller has to mend is not what it says. */
export class MalformedRequest extends ActionError {
  constructor(message: string) {
    super('invalid_request', { message });
  }
}
