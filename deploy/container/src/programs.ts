import { execFile as execFileWithCallback } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { radosgwFolder } from '@action-platform/local-servers';
import { cacheDir } from '@action-platform/toolchain';

const execFile = promisify(execFileWithCallback);
const nextDebian = fileURLToPath(new URL('../next-debian', import.meta.url));

/** A program with its first arguments. */
export type Command = readonly [program: string, ...string[]];

/**
 * Finds kustomize 5, as a program or in kubectl.
 *
 * @throws Error when kustomize is not installed and cannot be fetched
 */
export async function findKustomize(): Promise<Command> {
  const own: Command = ['kustomize', 'build'];
  const ofKubectl: Command = ['kubectl', 'kustomize'];
  const { stdout: kubectl } = await execFile('kubectl', ['version', '--client']).catch(() => ({
    stdout: '',
  }));
  if (/Kustomize Version: v5\./.test(kubectl)) return ofKubectl;
  const { stdout: version } = await execFile('kustomize', ['version']).catch(() => ({ stdout: '' }));
  return /^v5\./m.test(version) ? own : [await fetched('kustomize', 'usr/bin/kustomize'), 'build'];
}

/**
 * Finds Compose 2.26 or newer. Compose checks a file without an engine.
 *
 * @throws Error when Compose is not installed and cannot be fetched
 */
export async function findCompose(): Promise<Command> {
  const ofDocker: Command = ['docker', 'compose'];
  const { stdout } = await execFile('docker', ['compose', 'version', '--short']).catch(() => ({
    stdout: '0.0',
  }));
  const [major = 0, minor = 0] = stdout.replace(/^v/, '').split('.').map(Number);
  const isNewEnough = major > 2 || (major === 2 && minor >= 26);
  return isNewEnough
    ? ofDocker
    : [await fetched('docker-compose', 'usr/libexec/docker/cli-plugins/docker-compose')];
}

/**
 * Finds a program of Prometheus.
 *
 * @throws Error when the program is not installed and cannot be fetched
 */
export async function findWatcher(
  name: 'prometheus' | 'promtool' | 'prometheus-alertmanager' | 'amtool',
): Promise<Command> {
  const isHere = await execFile(name, ['--version']).then(
    () => true,
    () => false,
  );
  if (isHere) return [name];
  const program = await fetched(name === 'amtool' ? 'prometheus-alertmanager' : name, `usr/bin/${name}`);
  if (name !== 'prometheus-alertmanager') return [program];
  // Debian's Alertmanager reads its templates below /usr/share: it gets a /usr/share of its own.
  const itsShare = 'mount --bind "$0" /usr/share && exec "$@"';
  const share = join(dirname(dirname(program)), 'share');
  return ['unshare', '--map-root-user', '--mount', 'sh', '-c', itsShare, share, program];
}

/**
 * Fetches radosgw, Ceph's S3 server, and radosgw-admin with their libraries, for the tests of knowledge.
 *
 * @throws Error when they cannot be fetched
 */
export async function fetchRadosgw(): Promise<void> {
  await execFile(nextDebian, ['--with-libraries', radosgwFolder(), 'radosgw', 'ceph-common']);
}

/**
 * Fetches cosign, oras and a registry, for the checks of a release.
 *
 * @returns the folder with the programs
 * @throws Error when they cannot be fetched
 */
export async function fetchReleasePrograms(): Promise<string> {
  const directory = join(cacheDir(), 'next-debian-release');
  await execFile(nextDebian, [directory, 'cosign', 'oras', 'docker-registry']);
  return join(directory, 'usr/bin');
}

/** Fetches a package of the next Debian release once, and returns the path of a program in it. */
async function fetched(name: string, program: string): Promise<string> {
  const directory = join(cacheDir(), `next-debian-${name}`);
  await execFile(nextDebian, [directory, name]);
  return join(directory, program);
}
