import type { Principal } from '@action-platform/contracts/authority';
import { busHeaders } from '@action-platform/contracts/bus';
import { authorize, type Timed } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { KEY_MAX_LENGTH } from '@action-platform/contracts/limits';
import { type FoundCustomOperation, isCustomId } from '@action-platform/contracts/operations';
import { codePointLength } from '@action-platform/contracts/schema';
import { type ServedCall, serveCall, similarName } from '@action-platform/service-host';
import { authenticate, memberOf } from '../authority/caller.ts';
import { cadenceExceeded } from '../cadence/full-window.ts';
import type { Dependencies } from '../dependencies.ts';
import type { AsOf } from '../grants/database-time.ts';
import { kindOf } from '../grants/kinds.ts';
import type { StoredGrant } from '../grants/stored-grant.ts';
import { whyUnavailable } from '../members/availability.ts';

/**
 * `grants.authorize`: authorizes every call of an operation. The contract fixes the order of the checks: credential (401),
 * operation known (404; ids are public), permission (403). The ids of custom operations are not: for them the scope of a grant comes before
 * existence. A refused call counts no run and no use of the grant.
 */
export function serveAuthorize(dependencies: Dependencies): ServedCall {
  const { operations, customOperations, members, rules, grants, cadence } = dependencies;
  return serveCall(authorize, async ({ credential, operation: id, invocationId, isUncounted }, context) => {
    const caller = await authenticate(credential, dependencies, context);
    const builtIn = operations.get(id);
    if (builtIn === undefined && !isCustomId(id)) throw unknownOperation(id, operations);

    const { workspaceId, userId, grant } = caller;
    const write = { operation: id, grantId: grant?._id };
    const findRules = () => rules.mayHold(workspaceId, write, context);
    const early = builtIn?.effect !== 'read' && rules.areProbable(workspaceId) ? findRules() : undefined;
    // A refusal that comes first leaves its failure without a reader.
    early?.catch(() => {});
    const [member, custom] = await Promise.all([
      memberOf(caller, members, context),
      builtIn === undefined ? customOperations.find({ workspaceId, id }, context) : undefined,
    ]);
    const whileSuspended = builtIn?.service === 'audit' && grant === undefined && member.role === 'owner';
    await members.admit(member, { whileSuspended, isUncounted }, context);
    if (grant?.operations.includes(id) === false) throw new ActionError('grant_scope_exceeded');
    const operation = builtIn ?? custom;
    if (operation === undefined || custom?.status === 'removed') throw new ActionError('unknown_operation');
    const refusal = whyUnavailable(operation, member);
    if (refusal !== undefined) throw refusal;
    const mayBeHeld = operation.effect === 'write' && member.has_approval_rules !== false;
    const mayHold = mayBeHeld ? await (early ?? findRules()) : undefined;

    const principal = {
      workspaceId,
      userId,
      role: member.role,
      connections: { ...member.connections },
      ...(grant === undefined ? {} : await useGrant(grant, invocationId, { grants, cadence }, context)),
    };
    if (custom !== undefined) {
      const { revision, updatedAt, effect } = custom;
      const found: FoundCustomOperation = { id, revision, updatedAt, effect };
      context.addHeader(busHeaders.customOperation, JSON.stringify(found));
    }
    if (mayHold === undefined) return principal;
    return { subjectToApproval: principal, ...(mayHold !== 'any' && { rules: [...mayHold] }) };
  });
}

/** An error that suggests the operation with the most similar id, also for the name of a tool (`record_store__push_record`). */
function unknownOperation(id: string, operations: Dependencies['operations']): ActionError {
  const meant = similarName(id, [...operations.keys()]);
  if (meant === undefined) return new ActionError('unknown_operation');
  const message = `No operation has this id. Did you mean ${meant}?`;
  return new ActionError('unknown_operation', { message });
}

/**
 * Records the use of a grant by a call that passed every other check; returns the grant's fields of the principal.
 * `useGrant` records the first use before it counts the run, so that a secret replaced at that moment counts no run.
 *
 * @throws ActionError `routine_invocation_id_required`; `invalid_token` when the secret was replaced;
 *   `grant_cadence_exceeded` with the seconds until the window has room.
 */
async function useGrant(
  grant: AsOf<StoredGrant>,
  invocationId: string | undefined,
  { grants, cadence }: Pick<Dependencies, 'grants' | 'cadence'>,
  timed: Timed,
): Promise<Pick<Principal, 'operationGrantId' | 'routine'>> {
  const { _id: id, workspace_id: workspaceId, user_id: userId } = grant;
  const kind = kindOf(grant);
  const maximum = kind.cadence?.(grant);
  if (maximum === undefined) {
    await grants.markUsed(grant, timed);
    return kind.scope === undefined ? { operationGrantId: id } : { routine: { id } };
  }
  if (invocationId === undefined || invocationId === '' || codePointLength(invocationId) > KEY_MAX_LENGTH) {
    throw new ActionError('routine_invocation_id_required');
  }
  const isFirstUse = grant.last_used_at === null;
  if (isFirstUse) await grants.markUsed(grant, timed);
  const counted = { workspaceId, userId, grantId: id, cadence: maximum };
  const full = await cadence.count(counted, invocationId, grant.as_of, timed);
  if (full !== undefined) throw cadenceExceeded(maximum, full);
  if (!isFirstUse) await grants.markUsed(grant, timed);
  const { data: _, ...limits } = kind.scope!(grant);
  return { routine: { id, invocationId, ...limits } };
}
