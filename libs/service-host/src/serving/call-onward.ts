import { writeFairnessKey } from '@action-platform/admission';
import { type Bus, busHeaders, callService } from '@action-platform/bus';
import type { Call } from '@action-platform/contracts/calls';
import type { z } from 'zod';
import type { CallContext } from './context.ts';

/** The facts that a call passes on to another service. */
export type AskingContext = Pick<CallContext, 'deadline' | 'requestId' | 'callId' | 'fairnessKey'>;

/**
 * Asks another service while answering a call, under that call's request id and for its fairnessKey. `callOnward` waits as long as the
 * caller of this service does, and passes on a refusal, or the error without an answer, as it is (ActionError).
 */
export function callOnward<Input extends z.ZodObject, Output extends z.ZodType>(
  bus: Bus,
  call: Call<Input, Output>,
  input: z.input<Input>,
  { deadline, requestId, callId, fairnessKey }: AskingContext,
): Promise<z.output<Output>> {
  const headers = {
    [busHeaders.requestId]: requestId,
    [busHeaders.fairnessKey]: writeFairnessKey(fairnessKey),
    ...(callId !== undefined && { [busHeaders.callId]: callId }),
  };
  return callService(bus, call, input, { timeoutMs: Math.max(1, deadline - performance.now()), headers });
}
