import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Whether node_modules holds what package-lock.json locks. It compares the lock file with the one npm keeps of what it
 * has put in place, so what a developer's own `npm install` left is as good as ours. Optional packages may differ: most
 * are builds for one platform each.
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
    return found.version === wanted.version && found.integrity === wanted.integrity;
  });
}

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean }} LockedPackage
 * @param {string} file
 * @returns {Record<string, LockedPackage | undefined>} by path
 */
function packagesOf(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}
