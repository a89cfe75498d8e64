import { bare, type Fields, type Item, isFields, nameOf, type Tree, When } from './tree.ts';

/** A patch of a kustomization: a list of operations (RFC 6902), or a part of the object that is merged into it. */
export interface Patch {
  readonly target?: { readonly kind?: string; readonly name?: string; readonly labelSelector?: string };
  readonly patch: string;
}

/**
 * Changes the objects that a patch selects. What a component adds to an object that is there without it depends on the component.
 *
 * @param content the parsed patch
 * @throws Error where a component would replace something
 */
export function applyPatch(
  items: readonly Item[],
  { target }: Patch,
  content: Tree,
  component?: string,
): void {
  for (const item of items) {
    const added = (part: Tree) =>
      component === undefined || component === item.component
        ? structuredClone(part)
        : new When(component, structuredClone(part));
    if (Array.isArray(content)) {
      if (matches(item, target ?? {})) for (const step of content) change(item.object, step as Fields, added);
      continue;
    }
    const { apiVersion: _, kind, metadata, ...rest } = content as Fields;
    const { name, ...others } = metadata as Fields;
    if (matches(item, target ?? { kind: String(kind), name: String(name) }))
      merge(item.object, Object.keys(others).length > 0 ? { metadata: others, ...rest } : rest, added);
  }
}

/** Whether an object is the target of a patch or of a replacement; kind and name are regular expressions. */
export function matches(item: Item, { kind, name, labelSelector }: NonNullable<Patch['target']>): boolean {
  const is = (pattern: string | undefined, text: string) =>
    pattern === undefined || new RegExp(`^(?:${pattern})$`).test(text);
  return is(kind, String(item.object.kind)) && is(name, nameOf(item)) && isSelected(item, labelSelector);
}

/** Understands a label that exists, and `label in (a,b)`. */
function isSelected({ object }: Item, selector: string | undefined): boolean {
  if (selector === undefined) return true;
  const [label = '', values] = selector.split(' in ');
  const found = ((object.metadata as Fields).labels as Fields | undefined)?.[label];
  return (
    found !== undefined && (values === undefined || values.slice(1, -1).split(',').includes(String(found)))
  );
}

function change(object: Fields, { op, path, value = null }: Fields, added: (part: Tree) => Tree): void {
  const names = String(path)
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/'));
  const last = names.pop()!;
  let parent: Tree | undefined = object;
  for (const name of names) parent = bare((parent as Fields)[name]);
  if (op === 'add' && last === '-') (parent as Tree[]).push(added(value));
  else if (added(value) instanceof When) throw new Error(`A component changes ${path}.`);
  else (parent as Fields)[last] = value;
}

/** As kustomize merges: new elements of a list come before those that are there. */
function merge(into: Fields, from: Fields, added: (part: Tree) => Tree): void {
  for (const [name, part] of Object.entries(from)) {
    const there = bare(into[name]);
    if (isFields(there) && isFields(part)) merge(there, part, added);
    else if (Array.isArray(there) && Array.isArray(part)) mergeLists(there, part as Fields[], added);
    else if (there !== part) into[name] = added(part);
  }
}

function mergeLists(into: Tree[], from: readonly Fields[], added: (part: Tree) => Tree): void {
  for (const element of from.toReversed()) {
    const key = element.mountPath === undefined ? 'name' : 'mountPath';
    const there = into.map(bare).find((other) => isFields(other) && other[key] === element[key]);
    if (there === undefined) into.unshift(added(element));
    else merge(there as Fields, element, added);
  }
}
