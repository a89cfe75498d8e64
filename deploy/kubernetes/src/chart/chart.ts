import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { readKustomization } from './kustomization.ts';
import { schemaOf } from './schema.ts';
import { Expression, type Fields, fieldsOf, type Item, isFields, nameOf, Value } from './tree.ts';
import { conditionOf, Writer } from './write.ts';

/**
 * The Helm chart, made of the overlay `production`: its values.yaml are those of the chart, its components the switches, and its objects the
 * templates. A Secret or ConfigMap keeps its name; an annotation of the pods changes with its content.
 */
const root = fileURLToPath(new URL('../../', import.meta.url));
const production = join(root, 'overlays', 'production');
const { version } = JSON.parse(readFileSync(join(root, '../../package.json'), 'utf8')) as { version: string };

const chartText = `# Generated from deploy/kubernetes/src/chart: run \`npm run docs\`.
apiVersion: v2
name: action-platform
description: Named operations inside one Workspace, for people, AI agents and unattended jobs.
type: application
version: ${version}
appVersion: "${version}"
kubeVersion: ">=1.30.0-0"
annotations:
  licenses: Apache-2.0
`;

/** The components without a switch. A chart has the files of a deployment, too, unless a store has the secrets. */
const always = ['values', 'mongodb-external'];

const switchesText = readFileSync(join(production, 'kustomization.yaml'), 'utf8');
/** Each component of production, and whether it is on. */
const components = [...switchesText.matchAll(/^ {2}(# )?- (\S*components\/\S+|deployment)$/gm)].map(
  ([, off, path]) => ({ path: path!, name: basename(path!), isOn: off === undefined }),
);
const switches = components.filter(({ name }) => ![...always, 'deployment'].includes(name));

const items = readKustomization(
  production,
  (folder, named) => (folder === production ? components.map(({ path }) => path) : named),
  (name) => (always.includes(name) ? undefined : name),
).filter(({ object }) => object.kind !== 'Namespace');

/** The folder and file of an object: objects of one name share one, but what pods take from elsewhere has its own, for its checksum. */
function fileOf(item: Item): string {
  const kind = String(item.object.kind);
  if (['Secret', 'ConfigMap'].includes(kind)) return `${kind.toLowerCase()}s/${nameOf(item)}`;
  if (kind === 'NetworkPolicy') return 'network-policies';
  if (kind === 'ExternalSecret') return 'external-secrets';
  return nameOf(item);
}

/** Pods start anew when something changes that they read at their start. */
function addChecksum(object: Fields): void {
  const template = (object.spec as Fields | undefined)?.template;
  if (!isFields(template)) return;
  const read = [
    ...JSON.stringify(template).matchAll(/"(secretName|configMap|configMapRef)":(?:\{"name":)?"([^"]+)"/g),
  ];
  const files = read.map(([, field, name]) => `${field === 'secretName' ? 'secrets' : 'configmaps'}/${name}`);
  const contents = [...new Set(files)].map(
    (file) => `(include (print .Template.BasePath "/${file}.yaml") .)`,
  );
  const annotations = fieldsOf(fieldsOf(template, 'metadata'), 'annotations');
  annotations['checksum/configuration'] = new Expression(`print ${contents.join(' ')} | sha256sum`);
}

/** The values of the overlay's `values.yaml`, the switches with what each component says of itself, and the files of a deployment. */
function valuesText(): string {
  const overlay = readFileSync(join(production, 'values.yaml'), 'utf8');
  const files = items.flatMap(({ object }) => Object.values((object.data ?? {}) as Fields));
  const paths = files.flatMap((file) =>
    file instanceof Value && file.path[0] === 'deployment' ? [file.path] : [],
  );
  const folders = Map.groupBy(new Set(paths.map((path) => path.join('/'))), (path) => path.split('/')[1]!);
  return [
    '# Generated from deploy/kubernetes/overlays/production: run `npm run docs`. docs/kubernetes.md explains each value.',
    overlay.slice(overlay.indexOf('\n\n')).trim(),
    '',
    '# Parts of the platform, switched on or off.',
    'components:',
    ...switches.flatMap(({ name, path, isOn }) => {
      const [about] = readFileSync(join(production, path, 'kustomization.yaml'), 'utf8').match(
        /^# .*(\n# .*)*/,
      )!;
      return [...about.split('\n').map((line) => `  ${line}`), `  ${name}: ${isOn}`];
    }),
    '',
    '# The files of `deployment init`, by folder: `secrets DIR` of this chart prints them. A store (external-secrets) replaces them.',
    'deployment:',
    ...[...folders].map(
      ([folder, names]) =>
        `  ${folder}: { ${names.map((name) => `${name.split('/').slice(2).join('/')}: ""`).join(', ')} }`,
    ),
    '',
  ].join('\n');
}

const file = (path: string, content: string) => ({
  file: new URL(`../../../helm/${path}`, import.meta.url),
  content,
});

/** The files of the chart. @public `npm run docs` writes them */
export const generated = chartFiles();

function chartFiles() {
  for (const { object } of items) {
    fieldsOf(object, 'metadata').namespace = new Expression('.Release.Namespace');
    addChecksum(object);
  }
  const values = valuesText();
  const writer = new Writer(parse(values) as Fields);
  const templates = Map.groupBy(items, fileOf);
  return [
    file('Chart.yaml', chartText),
    file('values.yaml', values),
    file('values.schema.json', `${JSON.stringify(schemaOf(parse(values), items), null, 2)}\n`),
    ...[...templates].map(([name, all]) =>
      file(`templates/${name}.yaml`, all.map((item) => textOf(item, writer)).join('')),
    ),
  ];
}

function textOf({ object, component }: Item, writer: Writer): string {
  const lines = ['---', ...writer.fields(object)];
  const text =
    component === undefined ? lines : [`{{- if ${conditionOf(component)} }}`, ...lines, '{{- end }}'];
  return `${text.join('\n')}\n`;
}
