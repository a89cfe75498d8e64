import { z } from 'zod';
import { availability, deprecation, type Operation } from '../declaration/operation.ts';
import { docsUrl, type ErrorCode, errorCatalogue, nextStep } from '../errors/catalogue.ts';
import type { RouteKind } from '../errors/entry.ts';
import { errorTemplate } from '../errors/error-body.ts';
import { bodyErrors, credentialErrors, platformFailures, standingErrors } from '../errors/groups.ts';
import { type Permissions, withPossibleStep } from '../errors/possible-step.ts';
import { field } from '../schema/fields.ts';
import { publishedSchema } from '../schema/published-schema.ts';

const jsonSchema = field(z.record(z.string(), z.unknown()), 'JSON Schema (2020-12).');

/** An item of the discovery list. */
export const operationDescriptor = z.strictObject({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  inputSchema: jsonSchema,
  outputSchema: jsonSchema,
  availability,
  errors: field(z.array(errorTemplate), 'The errors that a call can be answered with.'),
  deprecation: deprecation.optional(),
});
export type OperationDescriptor = z.output<typeof operationDescriptor>;

/** The descriptor of an operation in discovery. */
export function describeOperation(operation: Operation): OperationDescriptor {
  const { id, title, description } = operation;
  return {
    id,
    title,
    description,
    inputSchema: publishedSchema(operation.input, 'input'),
    outputSchema: publishedSchema(operation.output, 'output'),
    availability: operation.availability,
    errors: [
      ...errorsOf(operation).map((code) => {
        const { message, recoverable } = errorCatalogue[code];
        return {
          code,
          message,
          recoverable,
          next: nextStep(code, routeKindOf(operation)),
          docs_url: docsUrl(code),
        };
      }),
      ...(operation.custom?.refusals ?? []).map(({ code, message, recoverable, next }) => {
        return { code, message, recoverable, next, docs_url: docsUrl('custom_operation_refused') };
      }),
    ],
    ...(operation.deprecation === undefined ? {} : { deprecation: operation.deprecation }),
  };
}

/** A descriptor for the holder of a grant: its errors have steps that the grant allows. */
export function descriptorOfGrant(
  descriptor: OperationDescriptor,
  permissions: Permissions,
): OperationDescriptor {
  return { ...descriptor, errors: descriptor.errors.map((error) => withPossibleStep(error, permissions)) };
}

const always: readonly ErrorCode[] = [
  ...bodyErrors,
  'routine_invocation_id_required',
  ...credentialErrors,
  ...standingErrors,
  'grant_scope_exceeded',
  'grant_cadence_exceeded',
  'unknown_operation',
];

/** The refusals of a write that a rule holds. */
const approvalRefusals = ['operation_approval_required', 'operation_approval_rejected'] as const;

/** Every error code of an operation, in the order of the catalogue. */
export function errorsOf(operation: Operation): readonly ErrorCode[] {
  return [
    ...always,
    ...platformFailures[operation.effect],
    ...(operation.effect === 'write' ? approvalRefusals : []),
    ...(operation.availability === 'owner_workspace' ? (['owner_role_required'] as const) : []),
    ...(operation.app === undefined ? [] : (['connected_app_required'] as const)),
    // A listing returns the part within the scope of the grant instead of refusing.
    ...(operation.dataScope?.reached === undefined ? [] : (['grant_data_scope_exceeded'] as const)),
    ...operation.errors,
  ];
}

/** The kind of the route of an operation. */
export function routeKindOf({ idempotent }: Operation): RouteKind {
  return idempotent === 'by_key' ? 'operation' : 'keyless_operation';
}
