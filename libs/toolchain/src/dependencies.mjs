import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { ToolchainError } from './errors.mjs';
import { exitCodeOf } from './exit-code.mjs';
import { cacheDir, unwritableCache } from './programs/cache.mjs';

/**
 * An entry of `packages` in a lock file.
 * @typedef {{ version?: string, integrity?: string, optional?: boolean }} LockedPackage
 */

/**
 * Whether node_modules holds what package-lock.json locks. `isInstalled` compares the lock file with npm's own record of what it installed,
 * so a developer's `npm install` counts too. Optional packages may differ: most are builds for one platform. A package's own node_modules
 * may be missing although the record names its content.
 *
 * @param {string} root of the checkout
 * @returns {boolean}
 */
export function isInstalled(root) {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const { '': _checkout, ...locked } = packagesOf(join(root, 'package-lock.json'));
  const installed = packagesOf(record);
  return Object.keys({ ...locked, ...installed }).every((path) => {
    const [wanted, found] = [locked[path], installed[path]];
    if (!wanted || !found) return (wanted ?? found)?.optional === true;
    if (isInPackage(path) && !existsSync(join(root, path))) return false;
    return found.version === wanted.version && (wanted.integrity ?? found.integrity) === found.integrity;
  });
}

/**
 * Installs what package-lock.json locks, once, however many processes ask for it at the same time.
 *
 * @param {string} root of the checkout
 * @param {(line: string) => void} onProgress
 * @throws {ToolchainError}
 */
export async function installDependencies(root, onProgress) {
  const onWait = () => onProgress('Another process is installing the dependencies here; waiting for it.');
  // Not in the checkout: npm ci empties node_modules, and .local belongs to the platform's data.
  const id = createHash('sha256').update(resolve(root)).digest('hex').slice(0, 16);
  const lock = join(cacheDir(), `install-${id}.sqlite`);
  // An older Node.js cannot load it.
  const { withLock } = await import('./lock.mjs');
  await withLock(lock, onWait, async () => {
    if (isInstalled(root)) return;
    onProgress('Installing the dependencies (npm ci); this may take a minute.');
    await npmCi(root);
  }).catch((error) => {
    throw unwritableCache(error) ?? error;
  });
}

/** @param {string} path */
function isInPackage(path) {
  return path.includes('/node_modules/') && !path.startsWith('node_modules/');
}

/** @param {string} root */
async function npmCi(root) {
  const options = ['--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = spawn('npm', ['ci', ...options], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = Promise.all([exitCodeOf(npm), text(npm.stderr)]);
  const [code, complaints] = await ended.catch((error) => {
    throw new ToolchainError(`Cannot run npm (${error.message}): install Node.js with npm and run again.`);
  });
  if (code === 0) return;
  throw new ToolchainError(
    `${complaints}The dependencies are not installed: see what npm says above, then run again.`,
  );
}

/**
 * @param {string} file
 * @returns {Record<string, LockedPackage | undefined>} by path
 */
function packagesOf(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}
