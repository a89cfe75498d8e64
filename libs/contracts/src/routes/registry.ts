import type { Operation } from '../operations/operation.ts';
import { docsRoutes } from './docs.ts';
import { grantRoutes } from './grants.ts';
import { healthRoutes } from './health.ts';
import { executionRoute, operationRoutes } from './operations.ts';
import type { Route } from './route.ts';

/** Every route of the HTTP interface that offers these operations, one for each of them included. */
export function httpRoutes(operations: ReadonlyMap<string, Operation>): readonly Route[] {
  return [
    operationRoutes.discover,
    ...operations.values().map(executionRoute),
    ...Object.values(grantRoutes).flatMap((routes): Route[] => Object.values(routes)),
    ...Object.values(docsRoutes),
    ...Object.values(healthRoutes),
  ];
}
