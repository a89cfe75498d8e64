import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fetchedPackage } from '@action-platform/container';
import type { KubernetesObject } from './objects.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const compiler = join(repository, 'node_modules', 'typescript', 'bin', 'tsc');

/** Finds the type of an object, as TypeScript writes it. */
type TypeOf = (object: KubernetesObject) => string;

/** The versions of Kubernetes whose types are here: the oldest that the platform supports, one between, and the newest that can be had. */
export const kubernetesVersions = ['1.30', '1.34', '1.36'] as const;

const typesOf: Record<(typeof kubernetesVersions)[number], TypeOf> = {
  '1.30': (object) => `import('${moduleOf(object)}').${object.kind}`,
  '1.34': ofClient(await fetchedPackage('kubernetes-1.34')),
  '1.36': ofClient(await fetchedPackage('kubernetes-1.36')),
};

/**
 * Checks objects against the types of a version of Kubernetes as TypeScript checks object literals: unknown fields, missing fields, types of
 * values. The compiler runs once for all of them.
 *
 * @returns the compiler's messages about each object, in the same order; empty without a mistake
 */
export function typeErrors(
  objects: readonly KubernetesObject[],
  version: (typeof kubernetesVersions)[number],
): string[] {
  // The compiler finds the types only from within the repository.
  const directory = mkdtempSync(join(repository, 'node_modules', '.manifests-'));
  try {
    const files = objects.map((object, index) => {
      const file = join(directory, `${index}.ts`);
      writeFileSync(file, `(${literalOf(object, version)}) satisfies ${typesOf[version](object)};\n`);
      return file;
    });
    const output = compile(files);
    return files.map((file) =>
      output.filter((line) => line.includes(`${basename(directory)}/${basename(file)}(`)).join('\n'),
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** The client gives a field another name where its own is a word of another language. */
function literalOf(object: KubernetesObject, version: string): string {
  const text = JSON.stringify(object);
  return version === '1.30' ? text : text.replaceAll('"from":', '"_from":');
}

/** The module of `kubernetes-types` that declares a kind: `apps/v1` for `apps/v1`, `networking/v1` for `networking.k8s.io/v1`, `core/v1` for `v1`. */
function moduleOf({ apiVersion }: KubernetesObject): string {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion];
  return `kubernetes-types/${group!.split('.')[0]}/${version}.js`;
}

/** The types of a client of Kubernetes, in its folder. A file has one kind, such as `V1Deployment`. */
function ofClient(folder: string): TypeOf {
  return ({ apiVersion, kind }) => {
    const name = `${apiVersion.split('/').at(-1)!.replace('v', 'V')}${kind}`;
    return `import('${folder}/dist/gen/models/${name}.js').${name}`;
  };
}

/** Whether Kubernetes itself declares the kind of the object. A cluster with their operators checks the custom resources. */
export const hasType = (object: KubernetesObject): boolean =>
  existsSync(join(repository, 'node_modules', moduleOf(object).replace(/\.js$/, '.d.ts')));

function compile(files: readonly string[]): string[] {
  const options = [
    '--noEmit',
    '--strict',
    '--allowImportingTsExtensions',
    '--module',
    'nodenext',
    '--types',
    'node',
    '--pretty',
    'false',
  ];
  try {
    execFileSync(process.execPath, [compiler, '--ignoreConfig', ...options, ...files], {
      cwd: repository,
      encoding: 'utf8',
    });
    return [];
  } catch (error) {
    const { stdout } = error as { stdout?: string };
    if (!stdout) throw error;
    return stdout.split('\n');
  }
}
