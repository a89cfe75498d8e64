import { errorCatalogue } from '@action-platform/contracts';
import { KEEP_TRACE } from '@action-platform/telemetry';
import type { Outcome } from '../serving/context.ts';

/**
 * Sets on the span of a call its request id, its caller and its outcome; the bus sets the status of the answer. A call that failed or whose
 * outcome is unknown has its whole trace kept, also when it is answered with 200.
 */
export function noteOnSpan(outcome: Outcome): void {
  const { requestId, caller, grantId, span, error, isReplay, operationOutcome } = outcome;
  if (span === undefined) return;
  span.setAttribute('request.id', requestId);
  if (caller !== undefined) span.setAttribute('workspace.id', caller.workspaceId);
  if (grantId !== undefined) span.setAttribute('grant.id', grantId);
  if (isReplay) span.setAttribute('replayed', true);
  if (operationOutcome !== undefined) span.setAttribute('operation.outcome', operationOutcome);
  const isKept = error === undefined ? operationOutcome !== undefined : errorCatalogue[error.code].keepsTrace;
  if (isKept) span.setAttribute(KEEP_TRACE, true);
}
