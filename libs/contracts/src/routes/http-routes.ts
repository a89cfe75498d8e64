import type { z } from 'zod';
import { auditEntry } from '../audit/entry.ts';
import { changeEvent } from '../change-events/change-event.ts';
import type { Operation } from '../declaration/operation.ts';
import { deprecation } from '../declaration/operation.ts';
import type { Route } from '../declaration/route.ts';
import { errorBody, errorTemplate } from '../errors/error-body.ts';
import { customOperation } from '../operations/custom/definition.ts';
import { operationDescriptor } from '../operations/descriptor.ts';
import { collection, record, revision } from '../operations/record-store/shapes.ts';
import { functionTool } from '../operations/tool.ts';
import { type Resources, resources, routesOf } from '../resources/all-resources.ts';
import { approvalRules } from '../resources/approval-rules.ts';
import { approval, listedApproval } from '../resources/approvals.ts';
import { createdGrant, grant, grantPage, maximumCadence, revokedGrant } from '../resources/grants.ts';
import { member } from '../resources/members.ts';
import { webhookDelivery, webhookEndpoint, webhookEndpointWithSecret } from '../resources/webhooks/shapes.ts';
import { aboutService, services } from '../services/services.ts';
import { docsRoutes } from './docs.ts';
import { healthRoutes } from './health.ts';
import { executionRoute, operationList, operationRoutes, toolList } from './operations.ts';

/** Every route of the HTTP interface, with one for each of these operations. */
export function httpRoutes(
  operations: ReadonlyMap<string, Operation>,
  offered: Resources = resources,
): readonly Route[] {
  return [
    operationRoutes.discover,
    ...operations.values().map(executionRoute),
    ...routesOf(offered),
    ...Object.values(docsRoutes),
    ...Object.values(healthRoutes),
  ];
}

/** The groups of routes, with their descriptions. The group of an operation is its service. */
export const routeTags: Readonly<Record<string, string>> = {
  discovery: 'The operations that the caller can execute now.',
  custom: 'The endpoints that the Workspace has registered as operations.',
  ...Object.fromEntries(services.map((service) => [service.replaceAll('-', '_'), aboutService(service)])),
  documentation: 'This document, the API reference, the error catalogue and the guides.',
  health: 'For load balancers and orchestrators.',
};

/** The schemas that the answers of several routes share, by their name in the API reference. */
export const sharedSchemas = {
  Approval: approval,
  ApprovalRules: approvalRules,
  AuditEntry: auditEntry,
  ChangeEvent: changeEvent,
  Collection: collection,
  CreatedGrant: createdGrant,
  CustomOperation: customOperation,
  Deprecation: deprecation,
  Error: errorBody,
  ErrorTemplate: errorTemplate,
  FunctionTool: functionTool,
  Grant: grant,
  GrantPage: grantPage,
  ListedApproval: listedApproval,
  MaximumCadence: maximumCadence,
  Member: member,
  OperationDescriptor: operationDescriptor,
  OperationList: operationList,
  Record: record,
  Revision: revision,
  RevokedGrant: revokedGrant,
  ToolList: toolList,
  WebhookDelivery: webhookDelivery,
  WebhookEndpoint: webhookEndpoint,
  WebhookEndpointWithSecret: webhookEndpointWithSecret,
} as const satisfies Readonly<Record<string, z.ZodType>>;
