import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { admin } from '../admin.ts';
import type { Environment } from '../platform.ts';

/** Runs a command, with these streams. */
export async function typed(
  args: readonly string[],
  environment: Environment,
  { stdin, isTTY = false }: { readonly stdin?: Readable; readonly isTTY?: boolean } = {},
) {
  const written = { stdout: '', stderr: '' };
  const sink = (name: keyof typeof written) => ({ isTTY, write: (text: string) => (written[name] += text) });
  const streams = { stdout: sink('stdout'), stderr: sink('stderr'), ...(stdin && { stdin }) };
  const code = await admin(args, environment, streams);
  return { ...written, code };
}

/** The same as a process of its own. */
export async function run(args: readonly string[], environment: Environment) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, ['deploy/admin/src/main.ts', ...args], {
    env: { PATH, NODE_COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { stdout, stderr, code: code as number };
}
