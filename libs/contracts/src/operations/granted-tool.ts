import type { DataKind, RoutineScope } from '../authority/principal.ts';
import type { Operation } from '../declaration/operation.ts';
import { toolName } from '../ids/tool-name.ts';
import type { JsonSchema } from '../schema/published-schema.ts';

/** The permissions of a grant. */
export interface Granted {
  readonly operations: readonly string[];
  readonly routine?: RoutineScope | undefined;
  /** The Workspace and the revisions of the custom operations among them. */
  readonly custom?:
    | { readonly workspaceId: string; readonly revisions: Readonly<Record<string, number>> }
    | undefined;
}

/** The most ids that a field lists as its values; of more, it names the first ones in words. */
const MOST_VALUES = 50;
const NAMED = 20;

/** The fields with ids of each kind of data. */
const fieldsOf: Readonly<Record<DataKind, readonly string[]>> = {
  collectionIds: ['collection_id', 'collection_ids'],
  senderIds: ['sender_id'],
  fileScopes: ['scope'],
};

/**
 * The parameters of a tool for the holder of a grant: a field that the data scope limits has the allowed values, and no text names a
 * tool that the grant does not allow.
 *
 * @param dataScope of its operation.
 */
export function grantedParameters(
  parameters: JsonSchema,
  dataScope: Operation['dataScope'],
  { operations, routine }: Granted,
): JsonSchema {
  const { properties = {}, required = [] } = parameters;
  const allowed = dataScope && routine?.data[dataScope.kind];
  const definition = dataScope?.outputDefinition && routine?.outputDefinition;
  const limited = Object.entries(properties).map(([name, field]) => {
    if (allowed !== undefined && fieldsOf[dataScope!.kind].includes(name))
      return [name, among(field, allowed)];
    if (definition !== undefined && name === 'output_definition') return [name, among(field, [definition])];
    return [name, { ...field, description: naming(field.description, operations) }];
  });
  const needed = definition === undefined ? [] : ['sender_id', 'output_definition'];
  return {
    ...parameters,
    properties: Object.fromEntries(limited),
    required: [...new Set([...required, ...needed])],
  };
}

/** A field with these values alone; one that names all data keeps that value, which means the allowed data. */
function among(field: JsonSchema, allowed: readonly string[]): JsonSchema {
  if (field.items !== undefined) {
    const { description, ...items } = among(field.items, allowed);
    return { ...field, description: description!, items };
  }
  const values =
    field.enum?.filter((value) => value === 'all' || allowed.some((one) => one === value)) ?? allowed;
  if (values.length <= MOST_VALUES) return { ...field, description: 'As the grant allows.', enum: values };
  const named = `${values.slice(0, NAMED).join(', ')} and ${values.length - NAMED} more`;
  return { ...field, description: `As the grant allows: ${named}.` };
}

/** A description without the listing that a value is from when the caller cannot call it. */
function naming(description: string | undefined, operations: readonly string[]): string | undefined {
  const names = operations.map(toolName);
  return description?.replaceAll(/,? from ([a-z_]+__[a-z0-9_]+)/g, (text, name) =>
    names.includes(name) ? text : '',
  );
}
