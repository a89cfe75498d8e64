/** The parts of the OpenAPI document that the reference shows. */
export interface Documented {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description?: string | undefined }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface DocumentedOperation {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly description: string;
  readonly deprecated?: boolean;
  readonly security: readonly object[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: JsonContent };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: JsonContent }>
  >;
  readonly 'x-codeSamples': readonly { readonly label: string; readonly source: string }[];
}

/** An operation of the document with its address. */
export interface Addressed {
  readonly method: string;
  readonly path: string;
  readonly operation: DocumentedOperation;
}

/** A parameter of a path, a query or a header. */
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

/** The content of every body that the reference shows. */
interface JsonContent {
  readonly 'application/json': { readonly schema: Schema; readonly example?: unknown };
}

type Bound = 'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'minItems' | 'maxItems';

/** The keywords of JSON Schema that the reference shows. */
export interface Schema extends Readonly<Partial<Record<Bound, number>>> {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** A schema, or the one of the document that it refers to. */
export function resolved({ components }: Documented, schema: Schema): Schema {
  return schema.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').at(-1)!]!;
}
