import { errorCatalogue } from '@action-platform/contracts';
import { KEEP_TRACE } from '@action-platform/telemetry';
import type { Outcome } from '../serving/context.ts';

/** Notes on the span of a call whose it was; with what it was answered is noted where it is sent. */
export function noteOnSpan({ requestId, caller, grantId, span, error, isReplay }: Outcome): void {
  if (span === undefined) return;
  span.setAttribute('request.id', requestId);
  if (caller !== undefined) span.setAttribute('workspace.id', caller.workspaceId);
  if (grantId !== undefined) span.setAttribute('grant.id', grantId);
  if (isReplay) span.setAttribute('replayed', true);
  if (error !== undefined && errorCatalogue[error.code].keepsTrace) span.setAttribute(KEEP_TRACE, true);
}
