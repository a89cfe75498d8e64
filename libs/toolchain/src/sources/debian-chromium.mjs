import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SourceUnavailable } from '../errors.mjs';
import { cacheDir } from './cache.mjs';
import { execFile, isProgram, reasonOf } from './program.mjs';

const PACKAGE = 'chromium-headless-shell';

/** It looks for its libraries beside it. */
const LAUNCHER = `#!/bin/sh
root=$(dirname "$0")/root
libraries=$(echo "$root"/usr/lib/*-linux-gnu)
export LD_LIBRARY_PATH="$libraries:$libraries/pulseaudio"
exec "$root/usr/lib/chromium/chromium-headless-shell" "$@"
`;

/**
 * Fetches Chromium without a window, and those libraries of it that this machine does not have, out of this machine's
 * Debian, without installing anything; apt checks the packages' signatures. Nobody has to be root.
 *
 * @param {{ onProgress: (line: string) => void }} options
 * @returns {Promise<string>} absolute path of the program
 * @throws {SourceUnavailable}
 */
export async function fetchDebianChromium({ onProgress }) {
  const directory = join(cacheDir(), `debian-${PACKAGE}`);
  const program = join(directory, 'chromium');
  if (await isProgram(program)) return program;
  onProgress('Fetching Chromium (Debian packages, 100 MB); it is kept for the next time.');
  await mkdir(cacheDir(), { recursive: true, mode: 0o700 });
  const workDir = await mkdtemp(join(cacheDir(), 'fetching-'));
  try {
    await unpackWithLibraries(workDir);
    await writeFile(join(workDir, 'chromium'), LAUNCHER, { mode: 0o755 });
    await rename(workDir, directory);
  } catch (error) {
    throw new SourceUnavailable(`no Debian package ${PACKAGE} (${reasonOf(error)})`);
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
  return program;
}

/** @param {string} workDir gets a folder `root` */
async function unpackWithLibraries(workDir) {
  const archives = join(workDir, 'archives');
  await mkdir(join(archives, 'partial'), { recursive: true });
  const options = ['Debug::NoLocking=1', `Dir::Cache::archives=${archives}`, 'APT::Sandbox::User=root'];
  await execFile('apt-get', [
    ...['install', '--download-only', '--no-install-recommends', '--yes', '-qq'],
    ...options.flatMap((option) => ['-o', option]),
    PACKAGE,
  ]);
  for (const archive of await readdir(archives)) {
    if (!archive.endsWith('.deb')) continue;
    await execFile('dpkg', ['--extract', join(archives, archive), join(workDir, 'root')]);
  }
  await rm(archives, { recursive: true });
}
