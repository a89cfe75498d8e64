import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ToolchainError } from '../errors.mjs';
import { exitCodeOf } from '../exit-code.mjs';
import { isInstalled } from './is-installed.mjs';
import { withLock } from './lock.mjs';

/**
 * Installs what package-lock.json locks, once, however many processes ask for it at the same time.
 *
 * @param {string} root of the checkout
 * @param {(line: string) => void} onProgress
 * @throws {ToolchainError}
 */
export async function installDependencies(root, onProgress) {
  const onWait = () => onProgress('Another process is installing the dependencies here; waiting for it.');
  await withLock(join(root, '.local', 'install.lock'), onWait, async () => {
    if (isInstalled(root)) return;
    onProgress('Installing the dependencies (npm install); this may take a minute.');
    await npmInstall(root);
  });
}

/**
 * `npm ci` would refuse a lock file that lacks a build for some other platform, which a package mirror may not carry.
 * This installs the same locked versions, leaves the lock file as it is and takes what is in place already.
 *
 * @param {string} root
 */
async function npmInstall(root) {
  const options = ['--no-save', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = spawn('npm', ['install', ...options], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
  let complaints = '';
  npm.stderr.setEncoding('utf8').on('data', (text) => {
    complaints += text;
  });
  const code = await exitCodeOf(npm).catch((error) => {
    throw new ToolchainError(`Cannot run npm (${error.message}): install Node.js with npm and run again.`);
  });
  if (code === 0) return;
  throw new ToolchainError(
    `${complaints}The dependencies are not installed: see what npm says above, then run again.`,
  );
}
