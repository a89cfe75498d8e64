import type { DataKind, RoutineScope } from '../authority/principal.ts';
import type { Operation } from '../declaration/operation.ts';
import { operationsNamed } from '../ids/tool-name.ts';
import type { JsonSchema } from '../schema/published-schema.ts';
import { collectionFields } from './collection-names.ts';

/** The permissions of a grant. */
export interface Granted {
  readonly operations: readonly string[];
  readonly routine?: RoutineScope | undefined;
  /** The names of the data that the grant lists, by id. */
  readonly names?: Readonly<Record<string, string>> | undefined;
  /** The Workspace and the revisions of the custom operations among them. */
  readonly custom?:
    | { readonly workspaceId: string; readonly revisions: Readonly<Record<string, number>> }
    | undefined;
}

/** The most ids that a field lists as its values, with their names; of more, the field names the first ones in words. */
export const NAMED_IDS_MAX = 50;
const NAMED = 20;

/** The fields with ids of each kind of data. */
const fieldsOf: Readonly<Record<DataKind, readonly string[]>> = {
  collectionIds: collectionFields,
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
  { operations, routine, names = {} }: Granted,
): JsonSchema {
  const { properties = {}, required = [] } = parameters;
  const allowed = dataScope && routine?.data[dataScope.kind];
  const definition = dataScope?.outputDefinition && routine?.outputDefinition;
  const limited = Object.entries(properties).map(([name, field]) => {
    if (allowed !== undefined && fieldsOf[dataScope!.kind].includes(name))
      return [name, among(field, allowed, names)];
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

/**
 * An example of an operation's input for the holder of a grant: with data that the grant lists.
 *
 * @param dataScope of its operation.
 */
export function grantedExample(
  example: NonNullable<Operation['example']>,
  dataScope: Operation['dataScope'],
  { routine }: Granted,
): Operation['example'] {
  const [first] = (dataScope && routine?.data[dataScope.kind]) ?? [];
  if (first === undefined) return example;
  const fields = fieldsOf[dataScope!.kind].filter((name) => name in example);
  const grantedExamples = fields.map((name) => [name, Array.isArray(example[name]) ? [first] : first]);
  const { outputDefinition: output_definition } = dataScope!.outputDefinition ? routine! : {};
  const needed = output_definition === undefined ? {} : { sender_id: first, output_definition };
  return { ...example, ...Object.fromEntries(grantedExamples), ...needed };
}

/** A field with these values alone; a field that names all data keeps that value, which means the allowed data. */
function among(
  { examples, ...field }: JsonSchema,
  allowed: readonly string[],
  names: NonNullable<Granted['names']> = {},
): JsonSchema {
  if (field.items !== undefined) {
    const { description, ...items } = among(field.items, allowed, names);
    return { ...field, description: description!, items };
  }
  const values =
    field.enum?.filter((value) => value === 'all' || allowed.some((one) => one === value)) ?? allowed;
  const named = (id: unknown) =>
    names[String(id)] === undefined ? String(id) : `${id}: ${names[String(id)]}`;
  if (values.length > NAMED_IDS_MAX) {
    const first = values.slice(0, NAMED).map(named).join(', ');
    return { ...field, description: `As the grant allows: ${first} and ${values.length - NAMED} more.` };
  }
  const known = values.filter((id) => names[String(id)] !== undefined).map(named);
  const which = known.length === 0 ? '' : `: ${known.join(', ')}`;
  return { ...field, description: `As the grant allows${which}.`, enum: values };
}

/** A description without the listing that a value is from when the caller cannot call it. */
function naming(description: string | undefined, operations: readonly string[]): string | undefined {
  return description?.replaceAll(/,? from [a-z_]+(?:__|\.)[a-z0-9_]+/g, (text) =>
    operationsNamed(text).every((id) => operations.includes(id)) ? text : '',
  );
}
