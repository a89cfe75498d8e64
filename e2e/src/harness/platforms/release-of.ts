import { execFile as execFileWithCallback } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { services } from '@action-platform/contracts/services';
import type { Release } from '@action-platform/local/processes';
import { commitOf, extractCommit } from '@action-platform/testing';
import { cacheDir } from '@action-platform/toolchain';

const execFile = promisify(execFileWithCallback);

/**
 * An older version of the platform, with its own dependencies, in a folder of the cache.
 *
 * @param ref a commit of this repository, by any name that git knows
 * @throws with the message of git or npm, and for a version without a service that this one has
 */
export async function releaseOf(ref: string): Promise<Release> {
  const name = await commitOf(ref);
  const folder = join(cacheDir(), 'releases', name);
  if (!existsSync(folder)) await checkOut(name, folder);
  const missing = services.filter((service) => !existsSync(join(folder, 'services', service)));
  if (missing.length > 0)
    throw new Error(`${ref} has no service ${missing.join(', ')}: begin with a later version.`);
  // The command that starts a process comes from the image of the same version.
  const [, entrypoint] = /^ENTRYPOINT (.*)$/m.exec(readFileSync(join(folder, 'Dockerfile'), 'utf8'))!;
  const [, ...first] = JSON.parse(entrypoint!) as string[];
  return { name, folder, processOf: (service) => [...first, `services/${service}/src/main.ts`] };
}

/** Makes a deployment with the command of an older version. */
export async function initDeployment(
  { folder }: Release,
  asked: { readonly folder: string; readonly busHost: string; readonly databaseHost: string },
): Promise<void> {
  const args = ['--dir', asked.folder, '--bus-host', asked.busHost, '--database-host', asked.databaseHost];
  await execFile(process.execPath, ['deploy/admin/src/main.ts', 'deployment', 'init', ...args], {
    cwd: folder,
  });
}

async function checkOut(commit: string, folder: string): Promise<void> {
  mkdirSync(join(cacheDir(), 'releases'), { recursive: true });
  const draft = mkdtempSync(`${folder}.`);
  await extractCommit(commit, draft);
  const options = ['--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  await execFile('npm', ['ci', ...options, '--loglevel=error'], { cwd: draft });
  renameSync(draft, folder);
}
