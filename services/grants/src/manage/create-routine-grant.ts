import {
  ActionError,
  createRoutineGrant,
  type Operation,
  type RoutineGrantRequest,
} from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import { describeGrant } from '../grants/describe.ts';
import { dataFinders, distinctData, requireVisibleData } from './granted-data.ts';
import type { Management } from './management.ts';
import { expiryTime, grantableOperations, newGrant } from './new-grant.ts';

/** `grants.create_routine_grant`: a grant for a recurring job, with its data scope and cadence. */
export function createRoutineGrantCall({
  operations,
  members,
  grants,
  bus,
  limits,
  now,
}: Management): ServedCall {
  const finders = dataFinders(bus);
  return serveCall(createRoutineGrant, async (request, context) => {
    const member = await members.requireActive(context.session());
    const scope = grantableOperations(operations, member, 'operations', request.operations);
    const createdAt = await now();
    const times = {
      now: createdAt,
      expiresAt: expiryTime(request.expiresAt, createdAt, limits.GRANT_LIFETIME_MAX_DAYS),
    };
    requireWhatOperationsNeed(scope, request);
    const data = distinctData(request.data);
    await requireVisibleData(data, finders, member, context);

    const { secret, fields } = newGrant('routine', member, scope, times);
    const grant = {
      kind: 'routine' as const,
      name: request.name,
      ...fields,
      data,
      output_definition: request.outputDefinition ?? null,
      maximum_cadence: request.maximumCadence,
    };
    await grants.insert(grant);
    return { grant: describeGrant(grant, { status: 'active' }), secret };
  });
}

/**
 * Refuses (`invalid_request`) a grant that could not do its job: one with operations on Collections and no
 * Collection to reach, or with an operation that must name an output definition and none that it may name.
 */
function requireWhatOperationsNeed(operations: readonly Operation[], request: RoutineGrantRequest): void {
  const onCollections = operations.find(({ dataScope }) => dataScope?.kind === 'collectionIds');
  if (onCollections !== undefined && !request.data.collectionIds?.length) {
    throw new ActionError('invalid_request', {
      message: `data.collectionIds: must name the Collections that ${onCollections.id} may reach.`,
    });
  }
  const withOutput = operations.find(({ dataScope }) => dataScope?.outputDefinition !== undefined);
  if (withOutput !== undefined && request.outputDefinition === undefined) {
    throw new ActionError('invalid_request', {
      message: `outputDefinition: is required for ${withOutput.id}.`,
    });
  }
}
