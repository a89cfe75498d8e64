import type { ActionError } from '@action-platform/contracts/errors';
import type { Operation } from '@action-platform/contracts/operations';
import type { MemberRoute } from '@action-platform/contracts/resources';
import type { Caller } from './admission.ts';
import type { Body } from './body.ts';
import type { Exchange } from './exchange.ts';

export interface AnswerFile {
  readonly mediaType: string;
  readonly name: string;
}

/** A call as its caller sent it, by whatever protocol. */
export interface SentCall {
  /** The id of the operation or route that is called. */
  readonly id: string;
  /** The declaration of the called operation, `customCall` for a custom one; undefined for an operation that this gateway does not offer. */
  readonly called: Operation | MemberRoute | undefined;
  /** Names the run of a recurring job; required with a routine grant. */
  readonly invocationId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** Whether the body must name an idempotency key, if the input takes one. */
  readonly isKeyRequired?: boolean;
  /** Whether its caller takes no write. */
  readonly isReadOnly?: boolean;
  /** The refusal of its headers, which a caller with authority gets. */
  readonly problem?: ActionError | undefined;
  readonly body: Body;
  /** The input of a route without a body. */
  readonly input?: object;
  /** The parameters in the path of a route whose body is the rest of the input. */
  readonly path?: Readonly<Record<string, string>>;
  /** The file name of an answer that is a file. */
  readonly file?: AnswerFile;
}

export interface AdmittedCall {
  readonly exchange: Exchange;
  readonly sent: SentCall;
  readonly caller: Caller;
}
