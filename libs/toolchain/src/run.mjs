import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installDependencies, isInstalled } from './dependencies.mjs';
import { ToolchainError } from './errors.mjs';
import { exitCodeOf } from './exit-code.mjs';
import { cacheDir } from './programs/cache.mjs';
import { isAtLeast } from './programs/program.mjs';

/**
 * The entry point of every npm script: `node run.mjs [node flags] <script> [arguments]` installs missing dependencies and runs
 * the script with a supported Node.js. `run.mjs` works from a bare checkout, under an older Node.js and with its built-in modules alone,
 * and leaves stdout to the script. Every command loads the modules imported here, so the code that fetches programs is loaded only when
 * needed.
 */
const root = fileURLToPath(new URL('../../..', import.meta.url));

try {
  const node = await nodeForScripts();
  const installed = isInstalled(root);
  const isSupported = node === process.execPath;
  if (!installed && isSupported) await installDependencies(root, tell);
  // The code that installs needs a supported Node.js: an older one starts this file again with it.
  const args = process.argv.slice(installed || isSupported ? 2 : 1);
  const env = {
    // Every process of a script, and of later ones, reuses the compiled code.
    NODE_COMPILE_CACHE: join(cacheDir(), 'compiled'),
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`,
  };
  // The script replaces this process; an older Node.js waits for its end.
  process.execve?.(node, [node, ...args], env);
  process.exitCode = await exitCodeOf(spawn(node, args, { stdio: 'inherit', env }));
} catch (error) {
  if (!(error instanceof ToolchainError)) throw error;
  tell(error.message);
  process.exitCode = 1;
}

async function nodeForScripts() {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (isAtLeast(process.versions.node, engines.node)) return process.execPath;
  const { findNode } = await import('./programs.mjs');
  return await findNode({ required: engines.node, onProgress: tell });
}

/** @param {string} line */
function tell(line) {
  process.stderr.write(`${line}\n`);
}
