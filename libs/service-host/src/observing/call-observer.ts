import { traceIdOf } from '@action-platform/contracts/bus';
import { exportCall, operatorCalls } from '@action-platform/contracts/calls';
import { errorCatalogue } from '@action-platform/contracts/errors';
import { services } from '@action-platform/contracts/services';
import { KEEP_TRACE } from '@action-platform/telemetry';
import { auditCommand } from '../auditing/audit-command.ts';
import type { AuditTrail } from '../auditing/audit-trail.ts';
import type { LineLevels } from '../logging/line-levels.ts';
import { ANSWERED } from '../logging/log-lines.ts';
import type { Logger } from '../logging/logger.ts';
import type { ObservedCall } from '../serving/context.ts';
import type { RecentCalls } from '../status/recent-calls.ts';
import { measureCall } from './metrics.ts';

/** Fields of an operator's input that the log may hold. Names, addresses and paths stay out of it. */
const LOGGED_FIELDS = [
  'workspace',
  'user',
  'role',
  'force',
  'app',
  'grant',
  'sender',
  'operation',
  'bytes',
  'grace_days',
  'calls_per_second',
  'no_limit',
  'suspend',
  'resume',
];

const commandOf = new Map([
  ...operatorCalls.map(({ id, command, effect }) => [id, { name: command, effect }] as const),
  // Every service has each command of exports: an operator may ask any service for any page.
  ...services.map(
    (service) => [exportCall(service).id, { name: 'workspace export', effect: 'read' }] as const,
  ),
]);

/**
 * Records every call once, with one duration: on its span, in the metrics, in the figures of `admin status` and in the log.
 * No record holds a call's payload.
 */
export class CallObserver {
  readonly #log: Logger;
  readonly #levels: LineLevels;
  readonly #recent: RecentCalls;
  readonly #trail: AuditTrail;

  constructor(log: Logger, levels: LineLevels, recent: RecentCalls, trail: AuditTrail) {
    this.#log = log;
    this.#levels = levels;
    this.#recent = recent;
    this.#trail = trail;
  }

  record(outcome: ObservedCall): void {
    const { name, error, durationMs } = outcome;
    annotateSpan(outcome);
    measureCall(outcome);
    this.#recent.record(durationMs, error?.isPlatformFailure === true);
    this.#recent.workspaces.record(outcome.workspaceId, error !== undefined);
    this.#logCall(outcome);
    const command = commandOf.get(name);
    if (command === undefined) return;
    this.#logCommand(command.name, outcome);
    auditCommand(this.#trail, command, outcome);
  }

  #logCall(outcome: ObservedCall): void {
    const { name, traceparent, span, caller, error, isReplay, durationMs, queueMs } = outcome;
    const place = span?.spanContext();
    const level = this.#levels.of(error, durationMs, place);
    if (!this.#log.isLevelEnabled(level)) return;
    this.#log[level](
      {
        call: name,
        request_id: outcome.requestId,
        trace_id: traceIdOf(traceparent),
        span_id: place?.spanId,
        workspace_id: caller?.workspaceId,
        user_id: caller?.userId,
        grant_id: outcome.grantId,
        code: error?.code ?? 'ok',
        is_replay: isReplay,
        duration_ms: Math.round(durationMs),
        queue_ms: Math.round(queueMs),
      },
      ANSWERED,
    );
  }

  /**
   * Logs an operator's command, refused or not. The NATS server verified the operators' key; the operator's name is the operator's own
   * claim.
   */
  #logCommand(command: string, { operator, requestId, input, error, durationMs }: ObservedCall): void {
    const given = (input ?? {}) as Readonly<Record<string, unknown>>;
    const logged = LOGGED_FIELDS.filter((field) => given[field] !== undefined);
    this.#log.info(
      {
        command,
        operator,
        ...Object.fromEntries(logged.map((field) => [field, given[field]])),
        request_id: requestId,
        code: error?.code,
        duration_ms: Math.round(durationMs),
      },
      error === undefined ? 'operator' : 'operator refused',
    );
  }
}

/**
 * Sets on the span of a call its request id, its caller and its outcome; the bus sets the status of the answer. The whole
 * trace of a failed or unknown outcome is kept, also when the answer is a 200.
 */
function annotateSpan(outcome: ObservedCall): void {
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
