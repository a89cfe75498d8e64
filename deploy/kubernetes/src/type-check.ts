import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KubernetesObject } from './objects.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const compiler = join(repository, 'node_modules', 'typescript', 'bin', 'tsc');

/**
 * Checks objects against the types of Kubernetes as TypeScript checks object literals: unknown fields, missing fields, types of values.
 * The compiler runs once for all of them.
 *
 * @returns the compiler's messages about each object, in the same order; empty without a mistake
 */
export function typeErrors(objects: readonly KubernetesObject[]): string[] {
  // The compiler finds the types only from within the repository.
  const directory = mkdtempSync(join(repository, 'node_modules', '.manifests-'));
  try {
    const files = objects.map((object, index) => {
      const file = join(directory, `${index}.ts`);
      writeFileSync(file, `(${JSON.stringify(object)}) satisfies ${typeOf(object)};\n`);
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

/** The module of `kubernetes-types` that declares a kind: `apps/v1` for `apps/v1`, `networking/v1` for `networking.k8s.io/v1`, `core/v1` for `v1`. */
function moduleOf({ apiVersion }: KubernetesObject): string {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion];
  return `kubernetes-types/${group!.split('.')[0]}/${version}.js`;
}

/** Whether Kubernetes itself declares the kind of the object. A cluster with their operators checks the custom resources. */
export const hasType = (object: KubernetesObject): boolean =>
  existsSync(join(repository, 'node_modules', moduleOf(object).replace(/\.js$/, '.d.ts')));

const typeOf = (object: KubernetesObject): string => `import('${moduleOf(object)}').${object.kind}`;

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
