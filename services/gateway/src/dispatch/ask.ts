import { type FairnessKey, writeFairnessKey } from '@action-platform/admission';
import type { BusRequestOptions } from '@action-platform/bus';
import { ActionError, busHeaders, type Effect } from '@action-platform/contracts';
import type { Exchange } from './exchange.ts';

/**
 * What goes with a question that is asked of a service for an exchange: it waits until the deadline, or until the caller has
 * gone. Throws `action_platform_unavailable` when the deadline has passed: nothing more is begun.
 */
export function askOptions(
  exchange: Exchange,
  { fairnessKey }: { readonly fairnessKey: FairnessKey },
  { effect }: { readonly effect: Effect },
  header?: string,
  value?: string,
): BusRequestOptions {
  const timeoutMs = exchange.deadline - performance.now();
  if (timeoutMs <= 0) throw new ActionError('action_platform_unavailable');
  const headers: Record<string, string> = {
    [busHeaders.requestId]: exchange.requestId,
    [busHeaders.traceparent]: exchange.traceparent,
    [busHeaders.fairnessKey]: writeFairnessKey(fairnessKey),
  };
  if (header !== undefined) headers[header] = value!;
  return { timeoutMs, effect, headers, whenAbandoned: exchange.whenDelivered };
}
