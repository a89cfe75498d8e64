import type { z } from 'zod';
import { createdGrant, grant, grantPage, maximumCadence, revokedGrant } from '../calls/grants.ts';
import { errorBody, errorEnvelope, errorTemplate } from '../errors/error-body.ts';
import { operationDescriptor } from '../operations/descriptor.ts';
import { deprecation } from '../operations/operation.ts';
import { collection, record, revision } from '../operations/record-store/shapes.ts';

/** Schemas of answers that several routes share, by the name that the API reference gives them. */
export const sharedSchemas = {
  Collection: collection,
  CreatedGrant: createdGrant,
  Deprecation: deprecation,
  Error: errorBody,
  ErrorEnvelope: errorEnvelope,
  ErrorTemplate: errorTemplate,
  Grant: grant,
  GrantPage: grantPage,
  MaximumCadence: maximumCadence,
  OperationDescriptor: operationDescriptor,
  Record: record,
  Revision: revision,
  RevokedGrant: revokedGrant,
} as const satisfies Readonly<Record<string, z.ZodType>>;
