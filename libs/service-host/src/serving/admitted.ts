import type { Admission } from '@action-platform/admission';
import { inSpan } from '@action-platform/telemetry';
import type { IncomingCall } from './incoming-call.ts';

/** The decision about a call, after a wait of some milliseconds: admitted, or refused with an error of `Admission.enter`. */
export interface AdmissionDecision {
  readonly queueMs: number;
  readonly refusal?: unknown;
}

const admittedAtOnce: AdmissionDecision = { queueMs: 0 };

/** Waits until a call is admitted or refused, in a span of its own if that takes any time. */
export async function waitForAdmission(
  admission: Admission,
  incoming: IncomingCall,
): Promise<AdmissionDecision> {
  let since = Number.POSITIVE_INFINITY;
  try {
    const admitted = admission.enter(incoming);
    if (admitted === undefined) return admittedAtOnce;
    since = performance.now();
    await inSpan('wait for admission', {}, () => admitted);
    return { queueMs: performance.now() - since };
  } catch (refusal) {
    incoming.isShed = true;
    return { queueMs: Math.max(0, performance.now() - since), refusal };
  }
}
