import { writeFairnessKey } from '@action-platform/admission';
import type { BusRequestOptions } from '@action-platform/bus';
import { ActionError, busHeaders, type Effect } from '@action-platform/contracts';
import type { Exchange } from './exchange.ts';
import type { Caller } from './pipeline.ts';

/**
 * The options of a request to a service on behalf of an exchange: it waits until the deadline, or until the caller disconnects.
 * Throws `action_platform_unavailable` when the deadline has passed.
 */
export function askOptions(
  exchange: Exchange,
  { fairnessKey, bytes }: Pick<Caller, 'fairnessKey' | 'bytes'>,
  { effect }: { readonly effect: Effect },
  more: Readonly<Record<string, string>> = {},
): BusRequestOptions {
  const timeoutMs = exchange.deadline - performance.now();
  if (timeoutMs <= 0) throw new ActionError('action_platform_unavailable');
  const headers = {
    [busHeaders.requestId]: exchange.requestId,
    ...(exchange.callId !== undefined && { [busHeaders.callId]: exchange.callId }),
    [busHeaders.traceparent]: exchange.traceparent,
    [busHeaders.fairnessKey]: writeFairnessKey(fairnessKey),
    ...more,
  };
  return { timeoutMs, effect, headers, byteCredit: bytes, signal: exchange.ended };
}
