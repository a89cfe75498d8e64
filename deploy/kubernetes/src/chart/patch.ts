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
    const condition = component === item.component ? undefined : component;
    if (Array.isArray(content)) {
      if (matches(item, target ?? {}))
        for (const step of content) change(item.object, step as Fields, condition);
      continue;
    }
    const { apiVersion: _, kind, metadata, ...rest } = content as Fields;
    const { name, ...others } = metadata as Fields;
    if (matches(item, target ?? { kind: String(kind), name: String(name) }))
      merge(item.object, Object.keys(others).length > 0 ? { metadata: others, ...rest } : rest, condition);
  }
}

/** What a patch adds, which depends on the component of the condition. */
function added(part: Tree, condition: string | undefined): Tree {
  const copy = structuredClone(part);
  return condition === undefined ? copy : new When(condition, copy);
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

function change(object: Fields, { op, path, value = null }: Fields, condition: string | undefined): void {
  const names = String(path)
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/'));
  const last = names.pop()!;
  let parent: Tree | undefined = object;
  for (const name of names) parent = bare((parent as Fields)[name]);
  if (op === 'add' && last === '-') (parent as Tree[]).push(added(value, condition));
  else if (condition !== undefined) throw new Error(`A component changes ${path}.`);
  else (parent as Fields)[last] = value;
}

/** As kustomize merges: new elements of a list come before those that are there. */
function merge(into: Fields, from: Fields, condition: string | undefined): void {
  for (const [name, part] of Object.entries(from)) {
    const former = into[name];
    const there = bare(former);
    // Below a condition its own parts need none.
    const within = former instanceof When && former.component === condition ? undefined : condition;
    if (isFields(there) && isFields(part)) merge(there, part, within);
    else if (Array.isArray(there) && Array.isArray(part)) mergeLists(there, part as Fields[], within);
    else if (there !== part) into[name] = added(part, condition);
  }
}

function mergeLists(into: Tree[], from: readonly Fields[], condition: string | undefined): void {
  for (const element of from.toReversed()) {
    const key = element.mountPath === undefined ? 'name' : 'mountPath';
    const there = into.map(bare).find((other) => isFields(other) && other[key] === element[key]);
    if (there === undefined) into.unshift(added(element, condition));
    else merge(there as Fields, element, condition);
  }
}
