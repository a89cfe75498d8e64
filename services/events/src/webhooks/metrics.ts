import { counts, durations, gauge } from '@action-platform/telemetry';
import type { Delivery } from './delivery.ts';

const attempting = durations('webhook.attempt.duration');

/** Records an attempt with the state of its delivery after it. */
export function recordAttempt(durationMs: number, { status, failure }: Delivery): void {
  attempting(durationMs, {
    'webhook.outcome': status === 'waiting' ? 'retried' : status,
    ...(failure !== null && { 'error.type': failure }),
  });
}

/** Counts failures to deliver that are none of an endpoint. */
export function failureCounter(): () => void {
  const failed = counts('webhook.failures');
  return () => failed(1);
}

/** A worker, as far as it is measured. */
interface Measured {
  readonly isFailing: boolean;
  lagMs(now: number): number;
}

/** Measures the workers of this process at each collection, those of failing endpoints apart. */
export function observeWorkers(workers: ReadonlyMap<string, Measured>): void {
  for (const state of ['delivering', 'failing'] as const) {
    const ofState = () =>
      [...workers.values()].filter(({ isFailing }) => isFailing === (state === 'failing'));
    const attributes = { 'webhook.state': state };
    gauge('webhook.endpoints', () => ofState().length, attributes);
    gauge(
      'webhook.lag',
      () => Math.max(0, ...ofState().map((worker) => worker.lagMs(Date.now()))) / 1000,
      attributes,
    );
  }
}
