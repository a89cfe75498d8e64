import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SourceUnavailable } from '../errors.mjs';
import { addToCache } from './cache.mjs';
import { execFile, reasonOf } from './program.mjs';

const PACKAGE = 'chromium-headless-shell';

/** It looks for its libraries beside it. */
const LAUNCHER = `#!/bin/sh
root=$(dirname "$0")/root
libraries=$(echo "$root"/usr/lib/*-linux-gnu)
export LD_LIBRARY_PATH="$libraries:$libraries/pulseaudio"
exec "$root/usr/lib/chromium/chromium-headless-shell" "$@"
`;

/** Where {@link fetchDebianChromium} keeps it. */
export const chromiumEntry = { folder: `debian-${PACKAGE}`, program: 'chromium', withAll: true };

/**
 * Fetches Chromium without a window, and those libraries of it that this machine does not have, out of this machine's
 * Debian, without installing anything; apt checks the packages' signatures. Nobody has to be root.
 *
 * @param {{ onProgress: (line: string) => void }} options
 * @returns {Promise<string>} absolute path of the program
 * @throws {SourceUnavailable}
 */
export async function fetchDebianChromium({ onProgress }) {
  onProgress('Fetching Chromium (Debian packages, 100 MB); it is kept for the next time.');
  return await addToCache(chromiumEntry, async (workDir) => {
    const folder = join(workDir, PACKAGE);
    try {
      await unpackWithLibraries(workDir, join(folder, 'root'));
    } catch (error) {
      throw new SourceUnavailable(`no Debian package ${PACKAGE} (${reasonOf(error)})`);
    }
    const program = join(folder, chromiumEntry.program);
    await writeFile(program, LAUNCHER, { mode: 0o755 });
    return program;
  });
}

/**
 * @param {string} workDir
 * @param {string} root the folder that everything is unpacked into
 */
async function unpackWithLibraries(workDir, root) {
  const archives = join(workDir, 'archives');
  await mkdir(join(archives, 'partial'), { recursive: true });
  await mkdir(root, { recursive: true });
  const options = ['Debug::NoLocking=1', `Dir::Cache::archives=${archives}`, 'APT::Sandbox::User=root'];
  await execFile('apt-get', [
    ...['install', '--download-only', '--no-install-recommends', '--yes', '-qq'],
    ...options.flatMap((option) => ['-o', option]),
    PACKAGE,
  ]);
  for (const archive of await readdir(archives)) {
    if (!archive.endsWith('.deb')) continue;
    await execFile('dpkg', ['--extract', join(archives, archive), root]);
  }
}
