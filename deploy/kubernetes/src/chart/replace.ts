import { matches } from './patch.ts';
import { bare, type Fields, type Item, isFields, isInPlaceOf, type Tree, Value, When } from './tree.ts';

/** A replacement of a kustomization, which puts a value of values.yaml into fields. */
export interface Replacement {
  readonly source: { readonly fieldPath: string };
  readonly targets: readonly {
    readonly select: { readonly kind: string; readonly name?: string };
    readonly reject?: readonly { readonly name: string }[];
    readonly fieldPaths: readonly string[];
    readonly options?: { readonly create?: boolean; readonly delimiter?: string };
  }[];
}

/**
 * Puts the value into its fields. A field that a component makes in an object that is there without it depends on the component.
 *
 * @throws Error for a path that leads to no field
 */
export function applyReplacement(
  items: readonly Item[],
  { source, targets }: Replacement,
  component?: string,
): void {
  for (const { select, reject = [], fieldPaths, options = {} } of targets) {
    const selected = items.filter(
      (item) =>
        matches(item, select) &&
        !isInPlaceOf(component, item.component) &&
        !reject.some((other) => matches(item, other)),
    );
    for (const item of selected) {
      const isIts = component === undefined || component === item.component;
      for (const path of fieldPaths) {
        const [parent, name] = find(item.object, path, options.create === true);
        const former = parent[name];
        if (former === undefined && !options.create) throw new Error(`${path} leads to no field.`);
        // The value replaces what is before the delimiter.
        const rest = options.delimiter && String(former).slice(String(former).indexOf(options.delimiter));
        const value = new Value(source.fieldPath.split('.'), rest && `printf "%s${rest}" | toJson`);
        if (!isIts && former !== undefined) throw new Error(`A component changes ${path}.`);
        parent[name] = isIts ? value : new When(component!, value);
      }
    }
  }
}

/** The place of a field: `containers.[name=nats].image`, `egress.0.to` and `data.[ca.pem]` are paths. */
function find(object: Fields, path: string, create: boolean): [parent: Fields, name: string] {
  const names = path.match(/\[[^\]]*\]|[^.]+/g)!.map((name) => name.replace(/^\[(.*)\]$/, '$1'));
  const last = names.pop()!;
  let at: Tree | undefined = object;
  for (const name of names) {
    const [key, wanted] = name.split('=');
    const parent: Tree = at;
    if (wanted !== undefined)
      at = (parent as Tree[]).map(bare).find((each) => isFields(each) && each[key!] === wanted);
    else {
      if (create && !Array.isArray(parent)) (parent as Fields)[name] ??= {};
      at = bare((parent as Fields)[name]);
    }
    if (at === undefined || at === null) throw new Error(`${path} leads to no field.`);
    if (at instanceof Value) at = at.more;
  }
  return [at as Fields, last];
}
