import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { ToolchainError } from './errors.mjs';
import { exitCodeOf } from './exit-code.mjs';
import { aptInstall } from './programs/apt-install.mjs';
import { programOnPath } from './programs/program.mjs';
import { firstOf } from './programs.mjs';

/**
 * `node with-chromium.mjs [node flags] <script> [arguments]` runs a script with the path of Chromium in CHROMIUM_PATH. On
 * Debian, as root, the command installs Chromium when the machine has none.
 */
try {
  const CHROMIUM_PATH = await firstOf(
    'Chromium',
    'Install Chromium 120 or newer, or set CHROMIUM_PATH to one.',
    [
      async () => givenPath(),
      ...['chromium', 'google-chrome'].map((name) => () => programOnPath(name, '120')),
      installChromium,
    ],
  );
  const script = spawn(process.execPath, process.argv.slice(2), {
    stdio: 'inherit',
    env: { ...process.env, CHROMIUM_PATH },
  });
  process.exitCode = await exitCodeOf(script);
} catch (error) {
  if (!(error instanceof ToolchainError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

/** The program that the caller names; a misspelt path would have every test skipped. */
function givenPath() {
  const path = process.env.CHROMIUM_PATH || undefined;
  if (path === undefined || existsSync(path)) return path;
  throw new ToolchainError(`There is no ${path}, which CHROMIUM_PATH names.`);
}

async function installChromium() {
  await aptInstall('chromium');
  return await programOnPath('chromium', '120');
}
