import { bare, type Fields, type Item, isFields, type Tree, Value } from './tree.ts';

/**
 * The JSON Schema of values.yaml: Helm refuses a value that no template reads, or of another type. Below a value that a template takes as a
 * whole, Kubernetes knows the fields.
 */
export function schemaOf(values: Fields, items: readonly Item[]): object {
  const whole = new Set(items.flatMap(({ object }) => valuesIn(object)).map(({ path }) => path.join('.')));
  const of = (tree: Tree, path: readonly string[]): object => {
    if (!isFields(tree)) return { type: Array.isArray(tree) ? 'array' : typeOf(tree) };
    if (path[0] === 'environment' && whole.has(path.join('.')))
      return { type: 'object', additionalProperties: { type: 'string' } };
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
