import type { Admission } from '@action-platform/admission';
import { type Histogram, metrics } from '@opentelemetry/api';
import type { Logger } from '../logging.ts';
import type { Observer } from './context.ts';

/** Measures every call: how long it took and, in `error.type`, the code it was answered with when it did not succeed. */
export function measureCalls(): Observer {
  let durations: Histogram | undefined;
  return ({ name, error, durationMs }) => {
    // Made at the first call: the SDK may start after this module is loaded, and what was made before it counts nothing.
    durations ??= metrics.getMeter('@action-platform/service-host').createHistogram('call.duration', {
      description: 'From the arrival of a call until its answer can begin.',
      unit: 's',
    });
    durations.record(
      durationMs / 1000,
      error === undefined ? { call: name } : { call: name, 'error.type': error.code },
    );
  };
}

/** Tells how many calls the process has taken on, and how many of them wait for their turn. */
export function measureAdmission(admission: Admission): void {
  const meter = metrics.getMeter('@action-platform/service-host');
  meter
    .createObservableGauge('call.in_flight', { description: 'Calls taken on.', unit: '{call}' })
    .addCallback((result) => result.observe(admission.taken));
  meter
    .createObservableGauge('call.waiting', { description: 'Calls that wait for their turn.', unit: '{call}' })
    .addCallback((result) => result.observe(admission.waiting));
}

/** Writes a line for every call at level `debug`: who, what, how it went; never what was in it. */
export function logCalls(log: Logger): Observer {
  return ({ name, requestId, principal, error, isReplay, durationMs }) => {
    if (!log.isLevelEnabled('debug')) return;
    log.debug(
      {
        call: name,
        request_id: requestId,
        workspace_id: principal?.workspaceId,
        user_id: principal?.userId,
        grant_id: principal?.routine?.id ?? principal?.operationGrantId,
        code: error?.code,
        is_replay: isReplay,
        duration_ms: Math.round(durationMs),
      },
      'answered',
    );
  };
}
