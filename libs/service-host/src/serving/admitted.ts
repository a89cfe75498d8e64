import type { Admission } from '@action-platform/admission';
import { inSpan } from '@action-platform/telemetry';
import type { IncomingCall } from './incoming-call.ts';

/**
 * Waits until a call is admitted, in a span of its own if that takes any time, and notes how long it waited. Rejects as
 * `Admission.enter` does.
 */
export async function waitForAdmission(admission: Admission, incoming: IncomingCall): Promise<void> {
  const admitted = admission.enter(incoming);
  if (admitted === undefined) return;
  const since = performance.now();
  try {
    await inSpan('wait for admission', {}, () => admitted);
  } finally {
    incoming.queueMs = performance.now() - since;
  }
}
