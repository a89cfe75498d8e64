import { type FairnessKey, readFairnessKey, workspaceIn } from '@action-platform/admission';
import { type BusRequest, busHeaders } from '@action-platform/bus';
import {
  type ConditionalRule,
  type GrantHolder,
  grantOf,
  heldPrincipal,
  jobOf,
  type Principal,
  principal,
} from '@action-platform/contracts/authority';
import { traceIdOf } from '@action-platform/contracts/bus';
import { type Call, type Origin, requireTimeLeft } from '@action-platform/contracts/calls';
import { ActionError, type Effect } from '@action-platform/contracts/errors';
import { type SessionClaims, sessionClaims } from '@action-platform/contracts/resources';
import { trace } from '@opentelemetry/api';
import { z } from 'zod';
import type { Logger } from '../logging/logger.ts';
import type { BulkTurns } from './bulk-turns.ts';
import type { CallContext, MemberContext, ObservedCall, OperationContext } from './context.ts';

/** A principal as another version of grants may write it: with apps that are not known here. */
const anyVersionsPrincipal = principal.extend({ connections: z.record(z.string(), z.string()) });

const anyVersionsHeld = heldPrincipal.extend({ subjectToApproval: anyVersionsPrincipal });

/** The mark in a principal that is subject to approval, outside of every string. */
const MARK = '"subjectToApproval":';

/** The longest that a timer can wait, in milliseconds. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** How much of an operator's name is noted, in UTF-16 code units. */
const OPERATOR_MAX_LENGTH = 200;

/** The parameters in the path of a request. */
const pathParameters = z.record(z.string(), z.string());

/**
 * A call from its arrival to its answer: the facts of its message, made once, and the decisions about it. `serve.ts` alone writes the
 * decisions; what a handler says of its answer comes by `addHeader`, `markReplayed` and `identify`.
 */
export class IncomingCall implements OperationContext, MemberContext {
  readonly requestId: string;
  readonly callId: string | undefined;
  readonly fairnessKey: FairnessKey;
  /** How many bytes its body has. */
  readonly bytes: number;
  /** The parameters in the path of the request whose body is the rest of the input. */
  readonly path: Readonly<Record<string, string>> | undefined;
  /** The name that an operator gives, on operators' calls. */
  readonly operator: string | undefined;
  /** Whether a rule of its Workspace may hold it for approval. */
  readonly isSubjectToApproval: boolean;
  /** The rules that may hold it, when its body alone decides whether they do. */
  readonly conditionalRules: readonly ConditionalRule[] | undefined;
  /** The `traceparent` of its requester; the empty string without one. */
  readonly traceparent: string;
  /** Decision: its declaration; of one that stands for many operations, the found one from then on. */
  called: Call;
  /** Decision: the validated input; undefined until the body was read. */
  input: unknown;
  /** Decision: see `OperationContext`. */
  granted: readonly string[] | undefined;
  /** Decision: the approval that let it through. */
  approvalId: string | undefined;
  /** The headers of its answer. */
  readonly answerHeaders: Record<string, string> = {};
  isReplay = false;
  /** Whether `Admission` refused it, or its answer. */
  isShed = false;
  readonly turns: BulkTurns;
  readonly #arrivedAt = performance.now();
  readonly #left: AbortSignal;
  #deadline: number;
  #isWriting = false;
  /** Only the gateway may publish to a subject whose calls name their caller, so `#principal` can be trusted. */
  readonly #principal: Principal | undefined;
  readonly #session: SessionClaims | undefined;
  #holder: SessionClaims | undefined;
  #grant: Parameters<CallContext['identify']>[1] | undefined;
  readonly #subject: string;
  readonly #hostLog: Logger;
  #log: Logger | undefined;

  constructor(request: BusRequest, call: Call, hostLog: Logger, turns: BulkTurns) {
    this.turns = turns;
    const { audience } = call;
    this.called = call;
    this.requestId = request.header(busHeaders.requestId);
    this.callId = request.header(busHeaders.callId) || undefined;
    this.#deadline = this.#arrivedAt + waitOf(request.header(busHeaders.timeoutMs));
    this.fairnessKey = readFairnessKey(request.header(busHeaders.fairnessKey));
    this.bytes = request.body.length;
    const caller = request.header(busHeaders.principal);
    const isOfOperation = audience === 'operation';
    const isMarked = isOfOperation && caller.includes(MARK);
    const own = isOfOperation && !isMarked ? readHeader(caller, anyVersionsPrincipal) : undefined;
    const held = isMarked ? readHeader(caller, anyVersionsHeld) : undefined;
    this.#principal = own ?? held?.subjectToApproval;
    this.isSubjectToApproval = held !== undefined;
    this.conditionalRules = held?.rules;
    this.#session = audience === 'member' ? readHeader(caller, sessionClaims) : undefined;
    this.path =
      audience === 'member' ? readHeader(request.header(busHeaders.path), pathParameters) : undefined;
    this.operator = request.header(busHeaders.operator).slice(0, OPERATOR_MAX_LENGTH) || undefined;
    this.#subject = request.subject;
    this.traceparent = request.header(busHeaders.traceparent);
    this.#hostLog = hostLog;
    this.#left = request.signal;
  }

  /** The deadline counts as passed when the requester has left, unless a write has begun. */
  get deadline(): number {
    return this.#left.aborted && !this.#isWriting ? 0 : this.#deadline;
  }

  /** Ends its deadline: its answer begins, and the bus limits the time of the rest. */
  beginAnswer(): void {
    this.#deadline = Number.POSITIVE_INFINITY;
  }

  /** The principal of an operation's call; throws ActionError `action_platform_unavailable` when its message names no possible one. */
  get principal(): Principal {
    if (this.#principal === undefined) throw new ActionError('action_platform_unavailable');
    return this.#principal;
  }

  /** The signed-in user of a Member's call; throws as `principal` does. */
  get session(): SessionClaims {
    if (this.#session === undefined) throw new ActionError('action_platform_unavailable');
    return this.#session;
  }

  /** The user and Workspace of the call. */
  get caller(): SessionClaims | undefined {
    return this.#principal ?? this.#session ?? this.#holder;
  }

  /** The grant that it is made with. */
  get grantId(): string | undefined {
    return (this.#principal && grantOf(this.#principal)) ?? this.#grant?.id;
  }

  /** The holder of the grant that it is made with, as its handler identified them. */
  get holder(): GrantHolder | undefined {
    if (this.#holder === undefined || this.#grant === undefined) return undefined;
    const { id: grantId, name } = this.#grant;
    return { ...this.#holder, grantId, ...(name !== null && { grantName: name }) };
  }

  get origin(): Origin {
    return this.#originBy(this.approvalId);
  }

  #originBy(approval_id: string | undefined): Origin {
    const { requestId: request_id, callId: call_id, caller, grantId: grant_id, operator } = this;
    const job = this.#principal && jobOf(this.#principal);
    return {
      request_id,
      ...(call_id !== undefined && { call_id }),
      ...(caller !== undefined && { user_id: caller.userId }),
      ...(grant_id !== undefined && { grant_id }),
      ...(job !== undefined && { invocation_id: job.invocationId }),
      ...(approval_id !== undefined && { approval_id }),
      ...(operator !== undefined && { operator }),
    };
  }

  /** Made at its first use: most calls write no line. */
  get log(): Logger {
    this.#log ??= this.#hostLog.child({
      request_id: this.requestId,
      trace_id: traceIdOf(this.traceparent),
      subject: this.#subject,
      workspace_id: this.caller?.workspaceId,
    });
    return this.#log;
  }

  /**
   * Marks the work as begun. Throws ActionError `action_platform_unavailable` when its caller no longer waits. A write that has begun
   * completes.
   */
  begin(effect: Effect): void {
    requireTimeLeft(this);
    this.#isWriting = effect === 'write';
  }

  identify(...[holder, grant]: Parameters<CallContext['identify']>): void {
    this.#holder = holder;
    this.#grant = grant;
  }

  addHeader(name: string, value: string): void {
    this.answerHeaders[name] = value;
  }

  markReplayed(): void {
    this.isReplay = true;
    this.addHeader(busHeaders.replayed, 'true');
  }

  /**
   * The outcome, for observers.
   *
   * @param name of what was called.
   * @param wasAdmitted whether it was admitted.
   */
  outcome(
    name: string,
    { error, targets, operationOutcome }: Pick<ObservedCall, 'error' | 'targets' | 'operationOutcome'>,
    wasAdmitted: boolean,
    queueMs: number,
  ): ObservedCall {
    return {
      name,
      requestId: this.requestId,
      traceparent: this.traceparent,
      span: trace.getActiveSpan(),
      caller: this.caller,
      workspaceId: workspaceIn(this.fairnessKey),
      grantId: this.grantId,
      principal: this.#principal,
      operator: this.operator,
      origin: this.#originBy(error?.approvalId ?? this.approvalId),
      input: this.input,
      error,
      targets,
      isReplay: this.isReplay,
      operationOutcome,
      durationMs: performance.now() - this.#arrivedAt,
      queueMs,
      wasAdmitted,
    };
  }
}

/** How long the requester waits, in milliseconds; 0 without a valid value. */
function waitOf(timeoutMs: string): number {
  return Math.min(Number(timeoutMs) || 0, LONGEST_WAIT_MS);
}

/** The JSON value of a header; undefined when it is absent or does not match the schema. */
function readHeader<Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema> | undefined {
  try {
    return text === '' ? undefined : schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
