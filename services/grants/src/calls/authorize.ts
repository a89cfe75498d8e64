import {
  ActionError,
  authorize,
  codePointLength,
  KEY_MAX_LENGTH,
  type Principal,
  type Timed,
} from '@action-platform/contracts';
import { type ServedCall, serveCall, similarName } from '@action-platform/service-host';
import { authenticate, memberOf } from '../authority/caller.ts';
import type { Cadence } from '../cadence/cadence.ts';
import type { Dependencies } from '../dependencies.ts';
import { allows } from '../grants/data-scope.ts';
import type { AsOf } from '../grants/database-time.ts';
import type { StoredRoutineGrant } from '../grants/stored-grant.ts';
import { whyUnavailable } from '../members/availability.ts';

/**
 * `grants.authorize`: every call of an operation passes here. The order of the checks is part of the contract: who
 * is it (401), is there such an operation (404; ids are public, so this tells nobody anything), may they (403).
 * Nothing is counted or noted for a call that is refused.
 */
export function serveAuthorize({ operations, members, grants, cadence }: Dependencies): ServedCall {
  return serveCall(authorize, async ({ credential, operation: id, invocationId }, context) => {
    const caller = await authenticate(credential, grants, context);
    const operation = operations.get(id);
    if (operation === undefined) throw unknownOperation(id, operations);

    const member = await memberOf(caller, members, context);
    const { workspaceId, userId, grant } = caller;
    if (grant !== undefined && !allows(grant, operation)) throw new ActionError('grant_scope_exceeded');
    const refusal = whyUnavailable(operation, member);
    if (refusal !== undefined) throw refusal;

    const routine =
      grant?.kind === 'routine' ? await countedRun(grant, invocationId, cadence, context) : undefined;
    if (grant !== undefined) await grants.markUsed(grant, context);
    return {
      workspaceId,
      userId,
      role: member.role,
      connections: { ...member.connections },
      ...(grant?.kind === 'operation' ? { operationGrantId: grant._id } : {}),
      ...(routine === undefined ? {} : { routine }),
    };
  });
}

/** Names the operation that was probably meant; a tool's name (`record_store__push_record`) leads to its operation too. */
function unknownOperation(id: string, operations: Dependencies['operations']): ActionError {
  const meant = similarName(id, [...operations.keys()]);
  if (meant === undefined) return new ActionError('unknown_operation');
  const message = `No operation has this id. Did you mean ${meant}?`;
  return new ActionError('unknown_operation', { message });
}

/**
 * Counts the run that a scheduled call belongs to. Throws ActionError: `routine_invocation_id_required`,
 * `grant_cadence_exceeded` with the seconds until there is room.
 */
async function countedRun(
  { _id: id, maximum_cadence, output_definition, as_of }: AsOf<StoredRoutineGrant>,
  invocationId: string | undefined,
  cadence: Cadence,
  timed: Timed,
): Promise<NonNullable<Principal['routine']>> {
  if (invocationId === undefined || invocationId === '' || codePointLength(invocationId) > KEY_MAX_LENGTH) {
    throw new ActionError('routine_invocation_id_required');
  }
  const counted = { grantId: id, cadence: maximum_cadence };
  const waitMs = await cadence.count(counted, invocationId, as_of, timed);
  if (waitMs > 0) throw new ActionError('grant_cadence_exceeded', { retryAfter: Math.ceil(waitMs / 1000) });
  const outputDefinition = output_definition === null ? {} : { outputDefinition: output_definition };
  return { id, invocationId, ...outputDefinition };
}
