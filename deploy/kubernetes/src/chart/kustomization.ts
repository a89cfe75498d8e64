import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { applyPatch, type Patch } from './patch.ts';
import { applyReplacement, type Replacement } from './replace.ts';
import { type Fields, fieldsOf, type Item, isFields, type Tree, Value } from './tree.ts';

interface Generator {
  readonly name: string;
  readonly files?: readonly string[];
}
interface Kustomization {
  readonly resources?: readonly string[];
  readonly components?: readonly string[];
  readonly configMapGenerator?: readonly Generator[];
  readonly secretGenerator?: readonly Generator[];
  readonly patches?: readonly Patch[];
  readonly labels?: readonly {
    readonly pairs: Readonly<Record<string, string>>;
    readonly includeSelectors?: boolean;
    readonly includeTemplates?: boolean;
  }[];
  readonly replacements?: readonly Replacement[];
}

/** As Kubernetes reads it: `0440` is octal. */
const YAML = { version: '1.1' } as const;

/**
 * Reads the objects of a kustomization, with the values of values.yaml and the components still open. `readKustomization` supports what the
 * files of this folder use, in the order in which kustomize applies it; a test compares the result with that of kustomize.
 *
 * @param componentsOf the components of a folder, also those that are switched off
 * @param conditionOf the switch of a component; undefined where it is always on
 */
export function readKustomization(
  folder: string,
  componentsOf: (folder: string, named: readonly string[]) => readonly string[],
  conditionOf: (component: string) => string | undefined,
): Item[] {
  const read = (directory: string, inherited: readonly Item[], component?: string): Item[] => {
    const own = parse(readFileSync(join(directory, 'kustomization.yaml'), 'utf8'), YAML) as Kustomization;
    let items = [...inherited];
    for (const path of (own.resources ?? []).map((name) => join(directory, name)))
      items.push(...(statSync(path).isDirectory() ? read(path, []) : objectsIn(path, component)));
    for (const name of componentsOf(directory, own.components ?? []))
      items = read(join(directory, name), items, conditionOf(basename(name)));
    for (const [kind, generators] of [
      ['ConfigMap', own.configMapGenerator],
      ['Secret', own.secretGenerator],
    ] as const)
      for (const generator of generators ?? [])
        items.push({ object: generated(kind, generator, directory), component });
    for (const patch of own.patches ?? []) applyPatch(items, patch, parse(patch.patch, YAML), component);
    for (const { pairs, includeSelectors, includeTemplates } of own.labels ?? [])
      for (const { object } of items)
        label(object, pairs, includeSelectors === true, includeSelectors || includeTemplates || false);
    for (const replacement of own.replacements ?? []) applyReplacement(items, replacement, component);
    return items;
  };
  return read(folder, []);
}

function objectsIn(file: string, component: string | undefined): Item[] {
  const documents = parseAllDocuments(readFileSync(file, 'utf8'), YAML).map((each) => each.toJS() as Fields);
  const objects = documents.flatMap((object) =>
    object.kind === 'List' ? (object.items as Fields[]) : [object],
  );
  return objects.filter(({ kind }) => kind !== 'Values').map((object) => ({ object, component }));
}

/** The files of a deployment are values of the chart, by folder and name; each other file is here. */
function generated(kind: 'ConfigMap' | 'Secret', { name, files }: Generator, directory: string): Fields {
  const data = (files ?? []).map((file): [string, Tree] => {
    const [key, path = key] = file.split('=') as [string, string?];
    if (basename(directory) === 'deployment') {
      const required = `required "deployment/${path}: see docs/kubernetes.md#helm"`;
      const pipe = kind === 'Secret' ? `${required} | b64enc | quote` : `${required} | toJson`;
      return [basename(key), new Value(['deployment', ...path.split('/')], pipe)];
    }
    return [basename(key), readFileSync(join(directory, path), 'utf8')];
  });
  return {
    apiVersion: 'v1',
    kind,
    metadata: { name },
    ...(kind === 'Secret' && { type: 'Opaque' }),
    ...(data.length > 0 && { data: Object.fromEntries(data) }),
  };
}

function label(
  object: Fields,
  pairs: Readonly<Record<string, string>>,
  selectors: boolean,
  templates: boolean,
): void {
  Object.assign(fieldsOf(fieldsOf(object, 'metadata'), 'labels'), pairs);
  const spec = object.spec;
  if (!isFields(spec)) return;
  const template = isFields(spec.template) ? spec.template : undefined;
  if (templates && template) Object.assign(fieldsOf(fieldsOf(template, 'metadata'), 'labels'), pairs);
  if (templates && Array.isArray(spec.volumeClaimTemplates))
    for (const claim of spec.volumeClaimTemplates as Fields[])
      Object.assign(fieldsOf(fieldsOf(claim, 'metadata'), 'labels'), pairs);
  if (!selectors) return;
  const spread = (template?.spec as Fields | undefined)?.topologySpreadConstraints ?? [];
  const all = [spec.selector, ...(spread as Fields[]).map(({ labelSelector }) => labelSelector)];
  for (const selector of all) if (isFields(selector)) Object.assign(fieldsOf(selector, 'matchLabels'), pairs);
}
