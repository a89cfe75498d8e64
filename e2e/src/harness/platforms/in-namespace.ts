import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { tiedToParent } from '@action-platform/local-servers';

/** Set in the environment of a process with namespaces of its own. */
const MARK = 'ACTION_PLATFORM_NAMESPACES';

/** Network and mount namespaces (`unshare` of util-linux); the kernel removes their contents with them. */
const SCRIPT = 'mount -t tmpfs tmpfs /run && exec "$0" "$@"';

/** Whether this process is in namespaces of its own. */
export const isInNamespace = process.env[MARK] !== undefined;

/**
 * Runs this program again, with a network of its own.
 *
 * @returns its exit code
 * @throws Error that says why this machine does not allow it
 */
export async function runInNamespace(): Promise<number> {
  // A user other than root becomes root in a user namespace, where the kernel allows it.
  const asRoot = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
  const unshare = [...asRoot, '--net', '--mount', 'sh', '-c', SCRIPT];
  const trial = spawnSync('unshare', [...unshare, 'ip', 'netns', 'add', 'trial'], { encoding: 'utf8' });
  if (trial.status !== 0) {
    const why = trial.error?.message ?? trial.stderr.trim();
    throw new Error(
      `this machine allows no network namespaces (Linux with util-linux and iproute2, as root or with user namespaces): ${why}`,
    );
  }
  const { command, args } = tiedToParent('unshare', [
    ...unshare,
    process.execPath,
    ...process.execArgv,
    ...process.argv.slice(1),
  ]);
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, [MARK]: '1' } });
  // A terminal sends Ctrl-C to the child too.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
