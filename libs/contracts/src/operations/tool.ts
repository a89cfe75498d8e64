import { z } from 'zod';
import type { Operation } from '../declaration/operation.ts';
import { namingTools, toolName } from '../ids/tool-name.ts';
import { field } from '../schema/fields.ts';
import { describeDefault, type JsonSchema, publishedSchema } from '../schema/published-schema.ts';

/** An operation as language models take it: a function tool, see {@link describeTool}. */
export const functionTool = z.strictObject({
  type: z.literal('function'),
  name: field(
    z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
    'The operation id with __ in the place of its dot.',
    'record_store__push_record',
  ),
  description: z.string(),
  parameters: field(
    z.record(z.string(), z.unknown()),
    'The JSON Schema of the input: its fields with their types, descriptions and defaults. Bounds are left out.',
  ),
  strict: field(
    z.boolean(),
    'Whether a model can be held to the schema: every field is required and nothing else fits.',
  ),
});
export type FunctionTool = z.output<typeof functionTool>;

/**
 * An operation as a function tool, in the form that the model APIs share. Some model APIs refuse the other keywords of JSON
 * Schema in strict mode. Tools are short, because an agent pays for them with every turn; the server checks the bounds.
 * A tool has no deprecated fields, and for interactive callers no fields of scheduled calls.
 */
export function describeTool(operation: Operation, caller: 'interactive' | 'scheduled'): FunctionTool {
  const { id, description, input, scheduledFields = [] } = operation;
  const schema: JsonSchema = publishedSchema(input, 'input');
  const fields = Object.entries(schema.properties ?? {}).filter(
    ([name]) => caller === 'scheduled' || !scheduledFields.includes(name),
  );
  const parameters = simplified({ ...schema, properties: Object.fromEntries(fields) });
  return {
    type: 'function',
    name: toolName(id),
    description: namingTools(description),
    parameters,
    strict: isStrict(parameters),
  };
}

function simplified(schema: JsonSchema): JsonSchema {
  describeDefault(schema);
  const { type, description, items, properties, required, ...others } = schema;
  const fields = Object.entries(properties ?? {}).filter(([, { deprecated }]) => !deprecated);
  return {
    type,
    description: description && namingTools(description),
    ...('enum' in others ? { enum: others.enum } : {}),
    ...('const' in others ? { const: others.const } : {}),
    ...(items === undefined ? {} : { items: simplified(items) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(fields.map(([name, field]) => [name, simplified(field)])),
          required: required ?? [],
        }),
    ...(type === 'object' ? { additionalProperties: others.additionalProperties } : {}),
  } as JsonSchema;
}

/** Whether every object in a schema is closed and all of its fields are required. */
function isStrict({
  type,
  properties = {},
  required = [],
  items,
  additionalProperties,
}: JsonSchema): boolean {
  const fields = Object.entries(properties);
  if (type === 'object' && (additionalProperties !== false || required.length < fields.length)) return false;
  return (items === undefined || isStrict(items)) && fields.every(([, field]) => isStrict(field));
}
