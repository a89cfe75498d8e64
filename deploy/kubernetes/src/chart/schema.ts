import { bare, type Fields, fieldsOf, type Item, isFields, type Tree, Value } from './tree.ts';

/**
 * The JSON Schema of values.yaml: Helm refuses a value that no template reads, or of another type. Below a value that a template takes as a
 * whole, Kubernetes knows the fields. A variable of `environment` must not be one that a container sets itself: the container's wins.
 */
export function schemaOf(values: Fields, items: readonly Item[]): object {
  const whole = new Set(items.flatMap(({ object }) => valuesIn(object)).map(({ path }) => path.join('.')));
  const fixed = variablesIn(items);
  const of = (tree: Tree, path: readonly string[]): object => {
    if (!isFields(tree)) return { type: Array.isArray(tree) ? 'array' : typeOf(tree) };
    if (path[0] === 'environment' && whole.has(path.join('.')))
      return {
        type: 'object',
        propertyNames: { not: { enum: fixed } },
        additionalProperties: { type: 'string' },
      };
    if (whole.has(path.join('.'))) return { type: 'object' };
    const properties = Object.entries(tree).map(([name, part]) => [name, of(part, [...path, name])]);
    return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
  };
  const schema = of(values, []) as { properties: object };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...schema,
    // Helm adds it for charts that contain this one.
    properties: { ...schema.properties, global: { type: 'object' } },
  };
}

const typeOf = (value: Tree): string => (typeof value === 'number' ? 'integer' : typeof value);

function valuesIn(tree: Tree | undefined): Value[] {
  const part = bare(tree);
  if (part instanceof Value) return [part, ...Object.values(part.more).flatMap(valuesIn)];
  if (Array.isArray(part)) return part.flatMap(valuesIn);
  return isFields(part) ? Object.values(part).flatMap(valuesIn) : [];
}

/** The names of the variables that containers of processes set themselves, whatever components are on. */
function variablesIn(items: readonly Item[]): string[] {
  const names = items.flatMap(({ object, component }) => {
    if (object.kind !== 'Deployment' || component !== undefined) return [];
    const { containers } = fieldsOf(fieldsOf(fieldsOf(object, 'spec'), 'template'), 'spec');
    return (containers as Fields[]).flatMap(({ env }) => (env as Tree[]).filter(isFields));
  });
  return [...new Set(names.map(({ name }) => String(name)))].toSorted();
}
