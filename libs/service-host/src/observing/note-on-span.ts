import { errorCatalogue } from '@action-platform/contracts';
import { KEEP_TRACE } from '@action-platform/telemetry';
import { trace } from '@opentelemetry/api';
import type { Outcome } from '../serving/context.ts';

/** Notes on the span of a call whose it was; with what it was answered is noted where it is sent. */
export function noteOnSpan({ requestId, caller, error, isReplay }: Outcome): void {
  const span = trace.getActiveSpan();
  if (span === undefined) return;
  span.setAttribute('request.id', requestId);
  if (caller !== undefined) span.setAttribute('workspace.id', caller.workspaceId);
  if (isReplay) span.setAttribute('replayed', true);
  if (error !== undefined && errorCatalogue[error.code].keepsTrace) span.setAttribute(KEEP_TRACE, true);
}
