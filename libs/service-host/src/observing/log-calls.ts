import { trace } from '@opentelemetry/api';
import { ANSWERED, type Logger } from '../logging.ts';
import type { Observer } from '../serving/context.ts';
import { LineLevels } from './line-levels.ts';

/** Writes a line for a call: who, what, how it went; never what was in it. */
export function logCalls(log: Logger, levels = new LineLevels()): Observer {
  return ({ name, requestId, principal, error, isReplay, durationMs, queueMs }) => {
    const place = trace.getActiveSpan()?.spanContext();
    const level = levels.of(error, durationMs, place);
    if (!log.isLevelEnabled(level)) return;
    log[level](
      {
        call: name,
        request_id: requestId,
        trace_id: place?.traceId,
        span_id: place?.spanId,
        workspace_id: principal?.workspaceId,
        user_id: principal?.userId,
        grant_id: principal?.routine?.id ?? principal?.operationGrantId,
        code: error?.code ?? 'ok',
        is_replay: isReplay,
        duration_ms: Math.round(durationMs),
        queue_ms: Math.round(queueMs),
      },
      ANSWERED,
    );
  };
}
