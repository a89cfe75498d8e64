import { traceIdOf } from '@action-platform/contracts';
import type { LineLevels } from '../logging/line-levels.ts';
import { ANSWERED } from '../logging/log-lines.ts';
import type { Logger } from '../logging/logger.ts';
import type { Observer } from '../serving/context.ts';

/** Writes a line for a call: who, what, how it went; never what was in it. */
export function logCalls(log: Logger, levels: LineLevels): Observer {
  return ({ name, requestId, traceparent, span, caller, grantId, error, isReplay, durationMs, queueMs }) => {
    const place = span?.spanContext();
    const level = levels.of(error, durationMs, place);
    if (!log.isLevelEnabled(level)) return;
    log[level](
      {
        call: name,
        request_id: requestId,
        trace_id: traceIdOf(traceparent),
        span_id: place?.spanId,
        workspace_id: caller?.workspaceId,
        user_id: caller?.userId,
        grant_id: grantId,
        code: error?.code ?? 'ok',
        is_replay: isReplay,
        duration_ms: Math.round(durationMs),
        queue_ms: Math.round(queueMs),
      },
      ANSWERED,
    );
  };
}
