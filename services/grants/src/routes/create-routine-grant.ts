import { ActionError, invalidRequest } from '@action-platform/contracts/errors';
import { grantRoutes, type RoutineGrantRequest } from '@action-platform/contracts/resources';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import { knownOperations } from '../custom-operations/known-operations.ts';
import type { Dependencies } from '../dependencies.ts';
import { createGrant, expiryTime, grantableOperations } from '../grants/create-grant.ts';
import { distinctData, missingKind, requireVisible } from '../grants/data-scope.ts';
import type { DecidingFields } from '../members/availability.ts';
import { requireTrusted, trustIn } from './trusted.ts';

/** `grants.create_routine_grant`: a grant for a recurring job, with its data scope and cadence. */
export function serveCreateRoutineGrant(dependencies: Dependencies): ServedCall {
  const { members, limits, otherServices } = dependencies;
  return serveMemberRoute(
    grantRoutes.routine.create,
    members.requireSignedIn,
    async (asked, context, member) => {
      const { workspace_id } = member._id;
      // Before the request is compared with an earlier one: by name it is the same as by id.
      const request = {
        ...asked,
        data: await otherServices.withCollectionIds(asked.data, workspace_id, context),
      };
      return await createGrant(dependencies, 'routine', request, context, member, async (createdAt) => {
        const data = distinctData(request.data);
        const faults: string[] = [];
        const noting = async <Checked>(check: () => Checked | Promise<Checked>): Promise<Checked[]> => {
          try {
            return [await check()];
          } catch (error) {
            if (!(error instanceof ActionError) || error.code !== 'invalid_request') throw error;
            faults.push(error.message);
            return [];
          }
        };
        const known = await knownOperations(
          dependencies,
          member._id.workspace_id,
          request.operations,
          context,
        );
        const named: DecidingFields[] = [];
        for (const id of new Set(request.operations))
          named.push(...(await noting(() => grantableOperations(known, member, 'operations', [id]))).flat());
        const [expiresAt] = await noting(() =>
          expiryTime(request.expiresAt, createdAt, limits.GRANT_LIFETIME_MAX_DAYS),
        );
        await noting(() => requireTrusted(dependencies, request));
        faults.push(...new Set(named.flatMap((operation) => faultsOf(operation, request))));
        await noting(() => requireVisible(data, otherServices, member, context));
        if (faults.length > 0 || expiresAt === undefined) throw invalidRequest(faults.join(' '));
        return {
          operations: named,
          expiresAt,
          terms: {
            kind: 'routine',
            name: request.name,
            data,
            output_definition: request.outputDefinition ?? null,
            maximum_cadence: request.maximumCadence,
            ...trustIn(request),
          },
        };
      });
    },
  );
}

/**
 * The faults of a grant that could never run one of its operations: the operation reaches a kind of data of which the grant lists
 * nothing, or needs an output definition that the grant does not have.
 */
function faultsOf(operation: DecidingFields, { data, outputDefinition }: RoutineGrantRequest): string[] {
  const missing = missingKind(operation, data);
  const isDefinitionMissing =
    operation.dataScope?.outputDefinition !== undefined && outputDefinition === undefined;
  return [
    ...(missing === undefined ? [] : [`data.${missing}: must list what ${operation.id} may reach.`]),
    ...(isDefinitionMissing ? [`outputDefinition: is required for ${operation.id}.`] : []),
  ];
}
