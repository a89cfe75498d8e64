/** A part of a chart's object: plain values of YAML, and the parts that values.yaml decides. */
export type Tree = string | number | boolean | null | Tree[] | Fields | Value | Expression | When;
export interface Fields {
  [name: string]: Tree;
}

/** A value of values.yaml, in the place of a field. */
export class Value {
  /** Its path, such as `['resources', 'record-store']`. */
  readonly path: readonly string[];
  /** The Go functions through which the text passes. */
  readonly pipe: string;
  /** Further fields, where the value is a map. */
  readonly more: Fields = {};

  constructor(path: readonly string[], pipe = 'toJson') {
    this.path = path;
    this.pipe = pipe;
  }
}

/** A Go template in the place of a field. */
export class Expression {
  readonly template: string;

  constructor(template: string) {
    this.template = template;
  }
}

/** A part that is there when a component is on. */
export class When {
  readonly component: string;
  readonly part: Tree;

  constructor(component: string, part: Tree) {
    this.component = component;
    this.part = part;
  }
}

/** An object, with the component that brings it; undefined where it is always there. */
export interface Item {
  readonly object: Fields;
  readonly component: string | undefined;
}

/** The files of a deployment are there unless a store has the secrets. */
export const isInPlaceOf = (component: string | undefined, other: string | undefined): boolean =>
  component === 'external-secrets' && other === 'deployment';

/** A part as it is when its component is on. */
export const bare = (tree: Tree | undefined): Tree | undefined => (tree instanceof When ? tree.part : tree);

export function isFields(tree: Tree | undefined): tree is Fields {
  return (
    typeof tree === 'object' &&
    tree !== null &&
    !Array.isArray(tree) &&
    !(tree instanceof Value) &&
    !(tree instanceof Expression) &&
    !(tree instanceof When)
  );
}

/** The fields below a field, which are made where there are none. */
export function fieldsOf(tree: Fields, name: string): Fields {
  tree[name] ??= {};
  const found = bare(tree[name]);
  if (found instanceof Value) return found.more;
  if (!isFields(found)) throw new Error(`${name} has no fields.`);
  return found;
}

export const nameOf = ({ object }: Item): string => String(fieldsOf(object, 'metadata').name);
