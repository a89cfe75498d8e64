import {
  ActionError,
  grantCalls,
  type Operation,
  type RoutineGrantRequest,
} from '@action-platform/contracts';
import { type ServedCall, serveMemberCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { createGrant, expiryTime, grantableOperations } from '../grants/create-grant.ts';
import { distinctData, missingKind, requireVisible, visibleData } from '../grants/data-scope.ts';

/** `grants.create_routine_grant`: a grant for a recurring job, with its data scope and cadence. */
export function serveCreateRoutineGrant(dependencies: Dependencies): ServedCall {
  const { operations, members, limits } = dependencies;
  const visible = visibleData(dependencies.otherServices);
  return serveMemberCall(grantCalls.routine.create, members.requireSignedIn, (request, context) =>
    createGrant(dependencies, 'routine', request, context, async (createdAt) => {
      const { member } = context;
      const named = grantableOperations(operations, member, 'operations', request.operations);
      const expiresAt = expiryTime(request.expiresAt, createdAt, limits.GRANT_LIFETIME_MAX_DAYS);
      for (const operation of named) requireUsable(operation, request);
      const data = distinctData(request.data);
      await requireVisible(data, visible, member, context);
      return {
        operations: named,
        expiresAt,
        terms: {
          kind: 'routine',
          name: request.name,
          data,
          output_definition: request.outputDefinition ?? null,
          maximum_cadence: request.maximumCadence,
        },
      };
    }),
  );
}

/**
 * Refuses (`invalid_request`) a grant that could never run one of its operations: the operation reaches a kind of data of
 * which the grant lists nothing, or needs an output definition that the grant does not have.
 */
function requireUsable(operation: Operation, { data, outputDefinition }: RoutineGrantRequest): void {
  const missing = missingKind(operation, data);
  if (missing !== undefined) {
    throw new ActionError('invalid_request', {
      message: `data.${missing}: must list what ${operation.id} may reach.`,
    });
  }
  if (operation.dataScope?.outputDefinition !== undefined && outputDefinition === undefined) {
    throw new ActionError('invalid_request', {
      message: `outputDefinition: is required for ${operation.id}.`,
    });
  }
}
