import type { Admission } from '@action-platform/admission';
import { inSpan } from '@action-platform/telemetry';
import type { Exchange } from './exchange.ts';

/**
 * Waits until a call is let in, in a span of its own if that takes any time, and notes how long it waited. Rejects as
 * `Admission.enter` does.
 */
export async function waitForTurn(admission: Admission, exchange: Exchange): Promise<void> {
  const turn = admission.enter(exchange);
  if (turn === undefined) return;
  const since = performance.now();
  try {
    await inSpan('wait for a turn', {}, () => turn);
  } finally {
    exchange.queueMs = performance.now() - since;
  }
}
