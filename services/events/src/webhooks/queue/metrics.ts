import type { WebhookFailure } from '@action-platform/contracts/resources';
import { counts, durations, gauge } from '@action-platform/telemetry';
import type { StoredDelivery } from './stored-delivery.ts';

const attempting = durations('webhook.attempt.duration');

/** Records an attempt with the state of its delivery after it. */
export function recordAttempt(
  durationMs: number,
  status: StoredDelivery['status'],
  failure: WebhookFailure | undefined,
): void {
  attempting(durationMs, {
    'webhook.outcome': status === 'waiting' ? 'retried' : status,
    ...(failure !== undefined && { 'error.type': failure }),
  });
}

/** Counts failures to deliver that are none of an endpoint. */
export const countFailure = counts('webhook.failures');

/** Counts the endpoints that a worker has to do with, those that fail apart. */
export function observeEndpoints(areFailing: () => Iterable<boolean>): void {
  for (const state of ['delivering', 'failing'] as const) {
    const count = () => [...areFailing()].filter((isFailing) => isFailing === (state === 'failing')).length;
    gauge('webhook.endpoints', count, { 'webhook.state': state });
  }
}
