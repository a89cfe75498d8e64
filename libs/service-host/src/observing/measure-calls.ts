import type { Admission } from '@action-platform/admission';
import { counts, durations, gauge } from '@action-platform/telemetry';
import type { Outcome } from '../serving/context.ts';

const answering = durations('call.duration');
const queueing = durations('call.queue.duration');
const shedding = counts('call.shed');

/** Tells that none of these calls was refused yet: of a count that begins with 1 nobody sees that it grew. */
export function expectCalls(name: string): void {
  shedding(0, { 'call.name': name });
}

/** Measures every call: how long it took and, in `error.type`, the code it was answered with when it did not succeed. */
export function measureCall({ name, error, durationMs, queueMs, isLetIn }: Outcome): void {
  const call = { 'call.name': name };
  answering(durationMs, error === undefined ? call : { ...call, 'error.type': error.code });
  if (queueMs > 0) queueing(queueMs, call);
  if (!isLetIn) shedding(1, call);
}

/** Tells how many calls the process has taken on, and how many of them wait for their turn. */
export function measureAdmission(admission: Admission): void {
  gauge('call.in_flight', () => admission.taken);
  gauge('call.waiting', () => admission.waiting);
}
