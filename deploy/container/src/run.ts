import { execFile as execFileWithCallback } from 'node:child_process';
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
