import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KubernetesObject } from './objects.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const compiler = join(repository, 'node_modules', 'typescript', 'bin', 'tsc');

/**
 * Checks objects against the types of Kubernetes, as strictly as an object literal is checked: a field that does not exist, one that lacks,
 * a value of another type. One run of the compiler for all of them.
 *
 * @returns what the compiler says of each, in the same order; nothing about one that is right
 */
export function typeErrors(objects: readonly KubernetesObject[]): string[] {
  mkdirSync(join(repository, '.local'), { recursive: true });
  // Within the repository, where the types are found.
  const directory = mkdtempSync(join(repository, '.local', 'manifests-'));
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

/** Where `kubernetes-types` declares a kind: `apps/v1` and `networking.k8s.io/v1` in `apps/v1` and `networking/v1`, `v1` in `core/v1`. */
function typeOf({ apiVersion, kind }: KubernetesObject): string {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion];
  return `import('kubernetes-types/${group!.split('.')[0]}/${version}.js').${kind}`;
}

function compile(files: readonly string[]): string[] {
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--types', 'node', '--pretty', 'false'];
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
