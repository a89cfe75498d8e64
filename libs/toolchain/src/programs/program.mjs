import { execFile as execFileWithCallback } from 'node:child_process';
import { access, constants, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { SourceUnavailable } from '../errors.mjs';

/** Runs a program to its end; the error of one that fails has its output, see {@link reasonOf}. */
export const execFile = promisify(execFileWithCallback);

/**
 * @param {string} path
 * @returns {Promise<boolean>} whether a program of some length that this user may execute is there
 */
export async function isProgram(path) {
  try {
    await access(path, constants.X_OK);
    const { size } = await stat(path);
    return size > 0;
  } catch {
    return false;
  }
}

/**
 * The output of a program's `--version`. `versionOf` fails for a program that was built for another system, or misses a shared library.
 *
 * @param {string} path
 * @returns {Promise<string>}
 * @throws {SourceUnavailable}
 */
export async function versionOf(path) {
  try {
    const { stdout } = await execFile(path, ['--version']);
    return stdout;
  } catch (error) {
    throw new SourceUnavailable(`does not run on this machine (${reasonOf(error)})`);
  }
}

/**
 * The first program of that name on the PATH that is new enough.
 *
 * @param {string} name
 * @param {string} minimum version, such as `8.0`
 * @returns {Promise<string>} absolute path
 * @throws {SourceUnavailable}
 */
export async function programOnPath(name, minimum) {
  for (const directory of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(directory, name);
    if (!isAbsolute(directory) || !(await isProgram(path))) continue;
    const version = await versionOf(path).catch(() => '');
    if (isAtLeast(version, minimum)) return path;
  }
  throw new SourceUnavailable(`no ${name} >= ${minimum} on the PATH`);
}

/**
 * The most informative line of a failed command's output.
 *
 * @param {unknown} error of {@link execFile}
 * @returns {string}
 */
export function reasonOf(error) {
  const { stderr = '', message } = /** @type {Error & { stderr?: string }} */ (error);
  const lines = stderr.split('\n').map((line) => line.replace(/^npm (error|ERR!)/, '').trim());
  return lines.find((line) => line !== '' && !/^(code|syscall|errno) /.test(line)) ?? message;
}

/**
 * Whether the first version number in a text is at least the wanted one.
 *
 * @param {string} text what a program says about itself, such as `db version v8.2.6`
 * @param {string} minimum such as `8.0`
 */
export function isAtLeast(text, minimum) {
  const [version, wanted] = [text, minimum].map((each) => /\d+(\.\d+)*/.exec(each)?.[0]);
  if (version === undefined || wanted === undefined) return false;
  return version.localeCompare(wanted, 'en', { numeric: true }) >= 0;
}
