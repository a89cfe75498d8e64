import { execFile as execFileWithCallback, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';

const execFile = promisify(execFileWithCallback);

/**
 * Runs a program and returns its output.
 *
 * @param signal ends the program
 * @throws Error with the program's messages when it fails
 */
export async function output(
  program: string,
  args: readonly string[],
  environment = process.env,
  signal?: AbortSignal,
): Promise<string> {
  const { stdout } = await execFile(program, [...args], { env: environment, maxBuffer: 2 ** 26, signal });
  return stdout;
}

/** Runs a program with its output on this terminal, and returns its exit code. @param signal ends the program */
export async function shown(
  program: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<number> {
  const child = spawn(program, args, { env: environment, stdio: 'inherit', signal });
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}
