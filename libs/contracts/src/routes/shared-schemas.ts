import type { z } from 'zod';
import { createOperationGrant, grant, listGrants, maximumCadence, revokeGrant } from '../calls/grants.ts';
import { errorBody, errorEnvelope, errorTemplate } from '../errors/error-body.ts';
import { deprecation } from '../operations/deprecation.ts';
import { operationDescriptor } from '../operations/descriptor.ts';
import { collection, record, revision } from '../operations/record-store/shapes.ts';

/** Schemas of answers that several routes share, by the name that the API reference gives them. */
export const sharedSchemas = {
  Collection: collection,
  CreatedGrant: createOperationGrant.output,
  Deprecation: deprecation,
  Error: errorBody,
  ErrorEnvelope: errorEnvelope,
  ErrorTemplate: errorTemplate,
  Grant: grant,
  GrantPage: listGrants.output,
  MaximumCadence: maximumCadence,
  OperationDescriptor: operationDescriptor,
  Record: record,
  Revision: revision,
  RevokedGrant: revokeGrant.output,
} as const satisfies Readonly<Record<string, z.ZodType>>;
