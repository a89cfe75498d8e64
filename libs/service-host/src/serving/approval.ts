import type { Bus } from '@action-platform/bus';
import type { ConditionalRule } from '@action-platform/contracts/authority';
import { hold } from '@action-platform/contracts/calls';
import { ActionError, invalidRequest } from '@action-platform/contracts/errors';
import { HELD_BODY_MAX_BYTES } from '@action-platform/contracts/limits';
import type { Operation } from '@action-platform/contracts/operations';
import { idempotencyKeyField } from '@action-platform/contracts/schema';
import { JsonAmbiguityError } from '@action-platform/json';
import { callOnward } from './call-onward.ts';
import { fitsAny } from './conditions.ts';
import type { OperationContext } from './context.ts';
import type { InputReader } from './input.ts';
import { fieldPath } from './issues.ts';

/** The input of a call, and the body that it was read from. */
interface ReadCall<Input> {
  readonly input: Input;
  readonly body: Uint8Array;
}

/** A call that may be executed, with the approval that let it through; no approval when no rule holds it. */
interface ApprovedCall<Input> extends ReadCall<Input> {
  readonly approvalId: string | undefined;
}

/** A call as its caller sent it. */
interface SentCall<Input> extends ReadCall<Input> {
  readonly operation: Operation;
  /** Reads an input of the operation. */
  readonly read: InputReader<Input>;
  /** The rules that may hold it, when its body alone decides whether they do. */
  readonly rules: readonly ConditionalRule[] | undefined;
}

/** An approval has had its one effect, and the call that it let through would have another: the call is held anew, and has done nothing. */
export class ApprovalSpent extends Error {}

/**
 * Runs a call that is subject to approval once it may be executed.
 *
 * @param run executes it; throws ApprovalSpent when that would be a second effect of the approval.
 * @throws ActionError as `requireApproval` does, and what `run` throws.
 */
export async function whenApproved<Input extends object, Output>(
  call: SentCall<Input>,
  context: OperationContext,
  bus: Bus,
  run: (input: Input, body: Uint8Array, approvalId: string | undefined) => Promise<Output>,
): Promise<Output> {
  for (let spent: string | undefined; ; ) {
    const { input, body, approvalId } = await requireApproval(call, context, bus, spent);
    try {
      return await run(input, body, approvalId);
    } catch (error) {
      if (!(error instanceof ApprovalSpent)) throw error;
      spent = approvalId;
    }
  }
}

/**
 * Holds a call that is subject to approval, after its input and its data scope were checked: returns the call that may be
 * executed, with the approval's id as its idempotency key when it has none. The returned call is the call as it was approved, when the
 * repetition has another text of the same value. `requireApproval` runs before every handler, so no handler can omit it.
 *
 * @param spent the approval that let it through before, and has had its effect.
 * @throws ActionError `operation_approval_required`, `operation_approval_rejected`; `action_platform_unavailable` without an answer of
 *   grants, as nothing was done; `request_body_too_large` for a body that no approval can keep.
 */
async function requireApproval<Input extends object>(
  { operation, input, body, read, rules }: SentCall<Input>,
  context: OperationContext,
  bus: Bus,
  spent: string | undefined,
): Promise<ApprovedCall<Input>> {
  // A call that an approval let through before is asked about again, whatever the rules say now.
  if (rules !== undefined && spent === undefined && !(await fitsAny(rules, operation.id, body, context)))
    return { input, body, approvalId: undefined };
  if (body.length > HELD_BODY_MAX_BYTES) {
    const message = `The body of a call that waits for an approval has at most ${HELD_BODY_MAX_BYTES} bytes.`;
    throw new ActionError('request_body_too_large', { message });
  }
  const keyField = idempotencyKeyField(operation.input);
  const key = keyField && (input as Readonly<Record<string, string | undefined>>)[keyField];
  const call = {
    principal: context.principal,
    operation: operation.id,
    key,
    revision: operation.custom?.revision,
    body: Buffer.from(body).toString('base64'),
    spent,
  };
  const answer = await callOnward(bus, hold, call, context);
  if (answer.verdict === 'free') return { input, body, approvalId: undefined };

  const { approvalId } = answer;
  // The version of grants before does not know that it is spent.
  if (approvalId === spent) throw new ActionError('action_platform_unavailable');
  if (answer.verdict === 'waiting') {
    const message = `The call waits until it is approved: approval ${approvalId}. Nothing was done.`;
    throw new ActionError('operation_approval_required', { message, approvalId });
  }
  if (answer.verdict === 'rejected') {
    const reason = answer.reason === undefined ? '' : ` Reason: ${answer.reason}`;
    const message = `The call was rejected: approval ${approvalId}. Nothing was done.${reason}`;
    throw new ActionError('operation_approval_rejected', { message, approvalId });
  }
  if (answer.body !== undefined) {
    const approved = Buffer.from(answer.body, 'base64');
    return {
      input: await read(approved, { key: key ?? approvalId, call: context }),
      body: approved,
      approvalId,
    };
  }
  const hasKey = keyField === undefined || key !== undefined;
  return { input: hasKey ? input : { ...input, [keyField]: approvalId }, body, approvalId };
}

/** Refuses (`invalid_request`) a call that is subject to approval with an ambiguous payload among several: nobody can approve a text that readers understand differently. */
export function requireOneMeaning(input: object): void {
  const items = Object.values(input).flatMap((value) => (Array.isArray(value) ? value : []));
  for (const item of items)
    for (const value of Object.values(Object(item)))
      if (value instanceof JsonAmbiguityError)
        throw invalidRequest(`${fieldPath(value.path)}: ${value.message}.`);
}
