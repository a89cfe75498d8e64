import { isMemberRoute, type MemberRoute } from '../declaration/member-route.ts';
import type { Route } from '../declaration/route.ts';
import { agentPolicyRoutes } from './agent-policy.ts';
import { agentRoutes } from './agents.ts';
import { appConnectionRoutes } from './app-connections.ts';
import { approvalRoutes } from './approvals.ts';
import { auditRoutes } from './audit.ts';
import { connectorRoutes } from './connectors.ts';
import { customOperationRoutes } from './custom-operations.ts';
import { eventRoutes } from './events.ts';
import { grantRoutes } from './grants.ts';
import { membershipRoutes } from './members.ts';
import { senderRoutes } from './senders.ts';
import { webhookRoutes } from './webhooks/routes.ts';

/** Resources of the HTTP interface beside operations, by name, each with its routes by name. */
export type Resources = Readonly<Record<string, Readonly<Record<string, Route>>>>;

export const resources = {
  operationGrants: grantRoutes.operation,
  routineGrants: grantRoutes.routine,
  agentGrants: grantRoutes.agent,
  agentAuthorizations: agentRoutes,
  agentPolicy: agentPolicyRoutes,
  members: membershipRoutes,
  appConnections: appConnectionRoutes,
  senders: senderRoutes,
  approvals: approvalRoutes,
  customOperations: customOperationRoutes,
  connectors: connectorRoutes,
  audit: auditRoutes,
  events: eventRoutes,
  webhooks: webhookRoutes,
} satisfies Resources;

/** The routes of resources. */
export function routesOf(of: Resources): readonly Route[] {
  return Object.values(of).flatMap((routes) => Object.values(routes));
}

export const memberRoutes: readonly MemberRoute[] = routesOf(resources).filter(isMemberRoute);
