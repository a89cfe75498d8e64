import { SourceUnavailable } from '../errors.mjs';
import { execFile, reasonOf } from './program.mjs';

/**
 * Installs a package of Debian as root. No server of it starts: `policy-rc.d` of Debian refuses that while this runs, unless the
 * machine has its own.
 *
 * @param {string} name
 * @throws {SourceUnavailable}
 */
export async function aptInstall(name) {
  process.stderr.write(`Installing ${name} (apt-get install ${name}).\n`);
  const policy = '/usr/sbin/policy-rc.d';
  const script = `[ -e ${policy} ] || { printf '#!/bin/sh\\nexit 101\\n' > ${policy} && chmod +x ${policy} && trap 'rm ${policy}' EXIT; }
apt-get update -qq && apt-get install --no-install-recommends --yes -qq "$1"`;
  try {
    await execFile('sh', ['-c', script, 'sh', name]);
  } catch (error) {
    throw new SourceUnavailable(`apt-get installs none (${reasonOf(error)})`);
  }
}
