/** The parts of the OpenAPI document that the reference shows. */
export interface Documented {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description?: string | undefined }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, DocumentedHeader>>;
  };
}

export interface DocumentedOperation {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly description: string;
  readonly deprecated?: boolean;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
  readonly 'x-codeSamples': readonly { readonly label: string; readonly source: string }[];
}

/** An operation of the document, and where it is. */
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

export interface DocumentedResponse {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content?: Readonly<Record<string, Content>>;
}

interface DocumentedHeader {
  readonly description: string;
}

interface Content {
  readonly schema: Schema | Reference;
  readonly example?: unknown;
}

interface Reference {
  readonly $ref: string;
}

/** A JSON Schema, as far as it is shown. */
export interface Schema {
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
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** What a reference within the document leads to; anything else is what it is. */
export function resolved<Value extends object>(document: Documented, value: Value | Reference): Value {
  if (!('$ref' in value) || value.$ref === undefined) return value as Value;
  const [, ...path] = String(value.$ref).split('/');
  return path.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document) as Value;
}
