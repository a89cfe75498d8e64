import { type PublishedEntry, targetsIn, viaGrant } from '@action-platform/contracts/audit';
import { type GrantHolder, grantHolder } from '@action-platform/contracts/authority';
import type { ActionError, Effect, ErrorCode } from '@action-platform/contracts/errors';
import { KEY_MAX_LENGTH } from '@action-platform/contracts/limits';
import { codePointLength } from '@action-platform/contracts/schema';
import type { AuditTrail } from '@action-platform/service-host';
import { type Exchange, type RequestContext, type RequestIds, whenEnded } from './exchange.ts';

/** In place of the operation of a request that was refused unread. */
const UNREAD = 'unread';

/** The codes of writes with an unknown outcome. */
const UNKNOWN: readonly ErrorCode[] = ['action_infrastructure_failure', 'custom_endpoint_failed'];

/** Leaves an entry in the audit log of every authenticated call that wrote or was refused, and counts reads. */
export class CallAudit {
  readonly #trail: AuditTrail;

  constructor(trail: AuditTrail) {
    this.#trail = trail;
  }

  /**
   * Takes a call at its outcome; a call that wrote or was refused has its entry when its answer was delivered, or its caller has left.
   *
   * @param caller tells callers apart.
   */
  ended(exchange: Exchange, effect: Effect, caller: string): void {
    const { context } = exchange;
    const operation = context.operation ?? exchange.route();
    const { error } = context;
    if (effect === 'read' && error === undefined) {
      const entry = entryOf(exchange, operation, undefined, { status: 200, isWhole: true });
      this.#trail.read(caller, operation, entry);
      return;
    }
    whenEnded(exchange, (delivery) => {
      const entry = entryOf(exchange, operation, error, delivery);
      // The outcome of a write without an answer is unknown: such calls are not equal.
      if (error === undefined || UNKNOWN.includes(error.code)) this.#trail.wrote(entry);
      // Calls that wait for different approvals are not equal either.
      else this.#trail.refused(caller, operation, `${error.publicCode} ${error.approvalId ?? ''}`, entry);
    });
  }

  /** Takes a request of a known caller that was refused unread. */
  shed(
    context: Pick<RequestContext, 'credential' | 'holder'>,
    caller: string,
    ids: RequestIds,
    error: ActionError,
  ): void {
    const exchange = { ...ids, context };
    const entry = entryOf(exchange, UNREAD, error, { status: error.status, isWhole: true });
    this.#trail.refused(caller, UNREAD, error.code, entry);
  }
}

/** A function that makes the entry of a call that ended now. */
function entryOf(
  { requestId, callId, context }: RequestIds & Pick<Exchange, 'context'>,
  operation: string,
  error: ActionError | undefined,
  { status, isWhole }: { readonly status: number; readonly isWhole: boolean },
): () => PublishedEntry | undefined {
  const now = Date.now();
  return () => {
    const caller = callerOf(context);
    if (caller === undefined) return undefined;
    return {
      ...caller,
      at: new Date(now).toISOString(),
      request_id: requestId,
      ...(callId !== undefined && { call_id: callId }),
      operation,
      targets: context.targets === undefined ? [] : targetsIn(context.targets),
      status: error?.status ?? status,
      code: error?.publicCode ?? 'ok',
      ...(context.outcome !== undefined && { outcome: context.outcome }),
      replayed: context.isReplay === true,
      answered: isWhole,
    };
  };
}

/** The caller of a call; undefined for a secret that is no grant's, as far as grants answered. */
function callerOf({ credential, holder, invocationId }: RequestContext) {
  if (credential?.kind === 'session')
    return { workspace_id: credential.workspaceId, user_id: credential.userId, via: 'session' as const };
  const known = holderIn(holder);
  if (known === undefined) return undefined;
  const via = viaGrant(known.grantId);
  const isRun =
    via === 'routine_grant' && invocationId !== undefined && codePointLength(invocationId) <= KEY_MAX_LENGTH;
  return {
    workspace_id: known.workspaceId,
    user_id: known.userId,
    via,
    grant_id: known.grantId,
    ...(known.grantName !== undefined && { grant_name: known.grantName }),
    ...(isRun && { invocation_id: invocationId }),
  };
}

/** The holder of a grant in the header of an answer. */
export function holderIn(text: string | undefined): GrantHolder | undefined {
  if (text === undefined) return undefined;
  try {
    return grantHolder.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
