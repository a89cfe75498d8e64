import type { Bus, BusReply, BusRequestOptions } from '@action-platform/bus';
import { ActionError, busHeaders } from '@action-platform/contracts';
import type { Exchange } from './exchange.ts';

/** What of a call's declaration says how it is asked. */
interface Asked {
  readonly subject: string;
  readonly effect: 'read' | 'write';
}

/**
 * Asks a service for an exchange and waits for its answer to begin, until the deadline. A read that one replica does
 * not answer is asked of another; a write never is, since the first may have done it.
 */
export function ask(
  bus: Bus,
  { subject, effect }: Asked,
  body: Uint8Array | string,
  options: BusRequestOptions,
): Promise<BusReply> {
  return effect === 'read' ? bus.query(subject, body, options) : bus.request(subject, body, options);
}

/**
 * What goes with a question that is asked for an exchange. Throws `action_platform_unavailable` when the deadline has
 * passed: nothing more is begun.
 */
export function askOptions(exchange: Exchange, header?: string, value?: string): BusRequestOptions {
  const timeoutMs = exchange.deadline - performance.now();
  if (timeoutMs <= 0) throw new ActionError('action_platform_unavailable');
  const headers: Record<string, string> = {
    [busHeaders.requestId]: exchange.requestId,
    [busHeaders.traceparent]: exchange.traceparent,
  };
  if (header !== undefined) headers[header] = value!;
  return { timeoutMs, headers };
}
