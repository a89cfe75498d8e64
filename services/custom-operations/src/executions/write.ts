/*
 * The steps from a write with its key to one recorded outcome of its endpoint. An endpoint knows a repetition by its `Idempotency-Key`,
 * which is the id of the execution.
 *
 *   1. Look.    A recorded outcome is the answer: nothing is sent again. Another input is a conflict.
 *   2. Open.    One new key is counted (`new-keys.ts`), then one insert under the id. Of concurrent calls one inserts, and the others go on as if they had found it.
 *   3. Lease.   One attempt at a time takes the lease, for longer than its request may last.
 *   4. Send.    The request, on a connection of its own, once. The request ends before the lease and the deadline of the caller.
 *   5. Settle.  One update of the owner of the lease records a final outcome and ends the lease. Any other outcome ends the lease alone.
 *
 * After a crash in each step:
 *
 *   1     Nothing. The client repeats a first call.
 *   2     An open execution, for which nothing was sent. The next call with the key takes the lease.
 *   3, 4  An open execution with a lease that is marked as begun. Equal calls are answered 503 until it expires, and the first one after
 *         that sends the request again with the same key, as the endpoint may or may not have done it. Its lease lasts twice as long, so
 *         that an execution that ends its process each time does so ever more seldom.
 *   5     Each later call gets the recorded outcome. Without the update the state is that of step 4.
 *
 * An owner that lost its lease records nothing and sends nothing, so no request follows a recorded outcome.
 *
 * A request that is sent once (`repeats: never`) leaves for the first owner of the lease alone: a later owner cannot know whether it
 * arrived, and has an unknown outcome without a request. An owner whose request certainly did nothing gives the lease back, so that the
 * next one is the first again. The execution is kept for 7 days from its only request on.
 */
import { randomUUID } from 'node:crypto';
import { inBackground } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { ExactJson, fingerprintOf } from '@action-platform/json';
import { onceBack } from '@action-platform/mongo';
import type { OperationContext } from '@action-platform/service-host';
import type { Cause } from '../cause.ts';
import { type CustomCall, type Endpoints, endOf } from '../endpoint/endpoints.ts';
import { type EndpointOutcome, isFinal } from '../endpoint/outcome.ts';
import { executionId } from './execution-id.ts';
import { type Executions, KEPT_MS, type NewExecution } from './executions.ts';
import type { StoredExecution } from './stored-execution.ts';

/** How long a lease outlasts its request, in milliseconds. */
const LEASE_MARGIN_MS = 2_000;
/** How long a lease lasts at most after attempts that ended their processes, in milliseconds. */
const LONGEST_LEASE_MS = 3_600_000;

/** How long an outcome is recorded again while the database is away, in milliseconds. */
const RECORDED_WITHIN_MS = 60_000;

/** A write, before its request is made. */
type Written = Pick<CustomCall, 'definition' | 'body'>;

const SENT_ONCE = { is: 'unknown', cause: 'sent_once' } as const;
const UNDER_WAY = { is: 'unavailable', cause: 'equal_call_under_way' } as const;

/** Brings each write with its key to one recorded outcome of its endpoint, however often and by however many calls it is made. */
export class Writes {
  readonly #executions: Executions;
  readonly #endpoints: Endpoints;
  /** The executions that this process opens now. */
  readonly #opening = new Set<string>();
  readonly #leaving: AbortSignal;

  /** @param leaving aborts when this process leaves: `Writes` records no more outcomes that the database did not take. */
  constructor(executions: Executions, endpoints: Endpoints, leaving: AbortSignal) {
    this.#executions = executions;
    this.#endpoints = endpoints;
    this.#leaving = leaving;
  }

  /**
   * The outcome of a write that can have no request any more: the recorded one as a replay, unknown after an earlier request, and else
   * unavailable.
   *
   * @throws ActionError `custom_idempotency_conflict` as `execute` does.
   */
  async withoutRequest(
    written: Written,
    key: string,
    cause: Cause,
    context: OperationContext,
  ): Promise<EndpointOutcome> {
    const asked = await newExecution(written, key, context);
    const execution = await this.#executions.find(asked, context);
    const is = execution?.lease === undefined ? 'unavailable' : 'unknown';
    return recordedIn(execution, asked, context) ?? { is, cause };
  }

  /**
   * Makes a write. A recorded outcome is marked as a replay.
   *
   * @throws ActionError `custom_idempotency_conflict` when the key was used with another input; `invalid_request` at the limit of new keys.
   */
  async execute(call: CustomCall, key: string, context: OperationContext): Promise<EndpointOutcome> {
    const { workspaceId } = context.principal;
    const asked = await newExecution(call, key, context);
    const first = await this.#executions.find(asked, context);
    const recorded = recordedIn(first, asked, context);
    if (recorded !== undefined) return recorded;
    const attempt = () => this.#attempt(call, asked, first, context);
    return await this.#endpoints.underWay.run(workspaceId, call.request.url, attempt);
  }

  async #attempt(
    call: CustomCall,
    asked: NewExecution,
    first: StoredExecution | null,
    context: OperationContext,
  ): Promise<EndpointOutcome> {
    const executions = this.#executions;
    const execution = first ?? (await this.#open(asked, context));
    if (execution === undefined) return UNDER_WAY;
    const recorded = recordedIn(execution, asked, context);
    if (recorded !== undefined) return recorded;
    const until = endOf(call.definition, context);
    const owner = randomUUID();
    const { _id: execution_id, operation_id } = execution;
    const onInterrupted = (failures: number) =>
      context.log.warn(
        { execution_id, operation_id, failures },
        'a process ended during a call of a custom operation; equal calls wait longer after the next time',
      );
    const lease = executions.leaseOn(execution, {
      owner,
      durationMs: call.definition.timeoutMs + LEASE_MARGIN_MS,
      repeated: { longestMs: LONGEST_LEASE_MS, onInterrupted },
    });
    const taken = await lease.take(context);
    if (taken === undefined) {
      const other = await executions.find(asked, context);
      return recordedIn(other, asked, context) ?? UNDER_WAY;
    }
    if (call.request.isSentOnce) {
      if (taken === 'again') {
        await lease.end(inBackground);
        return SENT_ONCE;
      }
      const kept = { expires_at: { $add: ['$$NOW', KEPT_MS] } };
      const isOurs = await lease.confirm(context, kept).catch(async (error: unknown) => {
        await lease.giveBack(inBackground);
        throw error;
      });
      if (!isOurs) return UNDER_WAY;
    }
    const request = { ...call, executionId: execution_id, until };
    const outcome = await this.#endpoints.call(request, context).catch(async (error: unknown) => {
      await lease.end(inBackground);
      throw error;
    });
    if (!isFinal(outcome)) {
      const wasNeverDone = taken === 'first' && outcome.is !== 'unknown';
      await this.#record(() => (wasNeverDone ? lease.giveBack(inBackground) : lease.end(inBackground)));
      return outcome;
    }
    const settle = () => executions.settle(execution, owner, outcome, context.origin);
    if (await this.#record(settle)) return outcome;
    // A repetition of `settle` may have found its own record.
    const settled = await executions.find(asked, inBackground);
    return settled?.outcome ?? { is: 'unknown', cause: 'timeout' };
  }

  /** Records an outcome, again while the database is away: only this process knows the outcome. */
  #record<Result>(write: () => Promise<Result>): Promise<Result> {
    return onceBack(write, AbortSignal.any([this.#leaving, AbortSignal.timeout(RECORDED_WITHIN_MS)]));
  }

  /** Opens an execution; undefined while an equal call of this process does, as each would count a new key. */
  async #open(asked: NewExecution, context: OperationContext): Promise<StoredExecution | undefined> {
    if (this.#opening.has(asked._id)) return undefined;
    this.#opening.add(asked._id);
    try {
      return await this.#executions.open(asked, context);
    } finally {
      this.#opening.delete(asked._id);
    }
  }
}

async function newExecution(
  { definition, body }: Written,
  key: string,
  context: OperationContext,
): Promise<NewExecution> {
  const { principal } = context;
  return {
    _id: executionId(principal, definition.id, key),
    workspace_id: principal.workspaceId,
    user_id: principal.userId,
    operation_id: definition.id,
    definition_id: definition.definitionId,
    fingerprint: await fingerprintOf(new ExactJson(body), '', context),
  };
}

/** The recorded outcome of an execution; undefined while it is open. @throws ActionError when its input was another one. */
function recordedIn(
  execution: StoredExecution | null,
  { fingerprint }: NewExecution,
  context: OperationContext,
): EndpointOutcome | undefined {
  if (execution === null) return undefined;
  if (execution.fingerprint !== fingerprint) throw new ActionError('custom_idempotency_conflict');
  if (execution.outcome !== undefined) context.markReplayed();
  return execution.outcome;
}
