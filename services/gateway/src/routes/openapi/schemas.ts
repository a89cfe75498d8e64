import { type Route, sharedSchemas } from '@action-platform/contracts/routes';
import { describeDefault, type JsonSchema } from '@action-platform/contracts/schema';
import { z } from 'zod';

export interface DocumentSchemas {
  /** The content of `components.schemas`: JSON Schemas (2020-12), as OpenAPI 3.1 takes them. */
  readonly components: Readonly<Record<string, JsonSchema>>;
  /** The reference to the schema of a request body, of an answer's body or to a shared one. */
  reference(schema: z.ZodType): JsonSchema;
}

/** The schema of a route's input as some caller sees it. */
type NarrowInput = (operationId: string, schema: JsonSchema) => JsonSchema;

/**
 * Names and publishes the schemas of routes, which also validate requests. The document has each shared schema once, and the others
 * refer to it.
 */
export function documentSchemas(
  routes: readonly Route[],
  narrow: NarrowInput = (_operationId, schema) => schema,
): DocumentSchemas {
  const inputs = z.registry<{ id: string }>();
  const outputs = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(sharedSchemas)) outputs.add(schema, { id });
  for (const { operationId, requestBody, answers } of routes) {
    const name = pascalCase(operationId);
    if (requestBody !== undefined) inputs.add(requestBody.schema, { id: `${name}Input` });
    for (const { body } of answers) {
      if (isSchema(body) && !outputs.has(body)) outputs.add(body, { id: `${name}Output` });
    }
  }
  const components = { ...publish(inputs, 'input'), ...publish(outputs, 'output') };
  for (const { operationId, requestBody } of routes) {
    if (requestBody === undefined) continue;
    const { id } = inputs.get(requestBody.schema)!;
    components[id] = narrow(operationId, components[id]!);
  }
  return {
    components: Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
    reference: (schema) => ({ $ref: pointerTo((inputs.get(schema) ?? outputs.get(schema))!.id) }),
  };
}

/** Whether an answer's body is JSON, and not other content. */
export function isSchema(body: Route['answers'][number]['body']): body is z.ZodType {
  return body instanceof z.ZodType;
}

function publish(registry: z.core.$ZodRegistry<{ id: string }>, io: 'input' | 'output') {
  const { schemas } = z.toJSONSchema(registry, {
    io,
    unrepresentable: 'any',
    uri: pointerTo,
    override: ({ jsonSchema }) => describeDefault(jsonSchema),
  });
  return Object.fromEntries(
    // The document has its own `$id` and `$schema`.
    Object.entries(schemas).map(([id, { $id, $schema, ...schema }]) => [id, schema as JsonSchema]),
  );
}

function pointerTo(id: string): string {
  return `#/components/schemas/${id}`;
}

/** `record_store.push_record` → `RecordStorePushRecord`. A digit keeps its underscore: `x_1_a` and `x1_a` are two names. */
function pascalCase(operationId: string): string {
  return operationId.replaceAll(/(?:^|[._])([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
