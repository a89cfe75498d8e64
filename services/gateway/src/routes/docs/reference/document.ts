import type { JsonSchema } from '@action-platform/contracts/schema';
import type { OpenApiDocument } from '../../openapi/document.ts';

/** An operation of the OpenAPI document. */
export type DocumentedOperation = OpenApiDocument['paths'][string][string];

/** An operation of the document with its address. */
export interface Addressed {
  readonly method: string;
  readonly path: string;
  readonly operation: DocumentedOperation;
}

/** A schema, or the one of the document that it refers to. */
export function resolved({ components }: OpenApiDocument, schema: JsonSchema): JsonSchema {
  return schema.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').at(-1)!]!;
}
