import type { Admission } from '@action-platform/admission';
import { counts, durations, gauge } from '@action-platform/telemetry';
import type { ObservedCall } from '../serving/context.ts';

const answering = durations('call.duration');
const queueing = durations('call.queue.duration');
const shedding = counts('call.shed');

/** Sets the count of refused calls to zero: a count that begins with 1 shows no increase. */
export function initializeShedCounter(name: string): void {
  shedding(0, { 'call.name': name });
}

/** Measures a call; `error.type` is the code of its refusal or failure. */
export function measureCall({ name, error, durationMs, queueMs, wasAdmitted }: ObservedCall): void {
  const call = { 'call.name': name };
  answering(durationMs, error === undefined ? call : { ...call, 'error.type': error.code });
  if (queueMs > 0) queueing(queueMs, call);
  if (!wasAdmitted) shedding(1, call);
}

/** Measures how many calls the process has taken on, and how many of them wait for admission. */
export function measureAdmission(admissions: readonly Admission[]): void {
  const sum = (of: 'taken' | 'waiting') => admissions.reduce((total, admission) => total + admission[of], 0);
  gauge('call.in_flight', () => sum('taken'));
  gauge('call.waiting', () => sum('waiting'));
}
