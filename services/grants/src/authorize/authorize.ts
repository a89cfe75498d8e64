import { ActionError, authorize, type Operation } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Cadence } from '../cadence/cadence.ts';
import type { Grants } from '../grants/grants.ts';
import { whyUnavailable } from '../members/available.ts';
import type { Members } from '../members/members.ts';
import { authenticate, memberOf } from './caller.ts';
import { countRun } from './run.ts';

/** What authority is decided from. */
export interface Authority {
  readonly operations: ReadonlyMap<string, Operation>;
  readonly members: Members;
  readonly grants: Grants;
  readonly cadence: Cadence;
}

/**
 * `grants.authorize`: every call of an operation passes here. The order of the checks is part of the contract: who
 * is it (401), is there such an operation (404; ids are public, so this tells nobody anything), may they (403).
 * Nothing is counted or noted for a call that is refused.
 */
export function authorizeCall({ operations, members, grants, cadence }: Authority): ServedCall {
  return serveCall(authorize, async ({ credential, operation: id, invocationId }) => {
    const caller = await authenticate(credential, grants);
    const operation = operations.get(id);
    if (operation === undefined) throw new ActionError('unknown_operation');

    const member = await memberOf(caller, members);
    const { workspaceId, userId, grant } = caller;
    if (grant !== undefined && !grant.operations.includes(id)) throw new ActionError('grant_scope_exceeded');
    const refusal = whyUnavailable(operation, member);
    if (refusal !== undefined) throw refusal;

    const routine = grant?.kind === 'routine' ? await countRun(grant, invocationId, cadence) : undefined;
    if (grant !== undefined) await grants.markUsed(grant);
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
