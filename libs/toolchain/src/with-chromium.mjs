import { spawn } from 'node:child_process';
import { ToolchainError } from './errors.mjs';
import { exitCodeOf } from './exit-code.mjs';
import { findChromium } from './programs.mjs';

/**
 * `node with-chromium.mjs [node flags] <script> [arguments]` runs a script that is told with CHROMIUM_PATH where Chromium is,
 * and gets one where there is none.
 */
try {
  const onProgress = (/** @type {string} */ line) => void process.stderr.write(`${line}\n`);
  const CHROMIUM_PATH = await findChromium({ onProgress });
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
