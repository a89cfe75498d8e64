import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { services } from '@action-platform/contracts';
import { freePort } from '@action-platform/local-servers';
import { extractCommit, SteadyLoad, startBalancer, told } from '@action-platform/testing';
import { output } from './run.ts';

const REQUESTS_PER_SECOND = 200;
const REPLICAS = 2;
/** How long the load goes on after each change, and how long a gateway that leaves goes on serving, in milliseconds. */
const PAUSE_MS = 1_000;
const SHUTDOWN_DELAY_MS = 2_000;

/** Everything that is replaced, in the order of a rolling change. */
const parts = [...services, 'gateway'];
/** With which Compose runs all of it twice. */
export const twice = parts.flatMap((part) => ['--scale', `${part}=${REPLICAS}`]);

/** Ports for the gateways, and what they need to leave a balancer in order. */
export async function twoGateways(): Promise<Readonly<Record<string, string>>> {
  for (;;) {
    const first = await freePort();
    const last = first + REPLICAS - 1;
    if ((await freePort(last)) === last)
      return { PORT: `${first}-${last}`, SHUTDOWN_DELAY_MS: String(SHUTDOWN_DELAY_MS) };
  }
}

/** Builds the image of an older version. */
export async function buildCommit(
  commit: string,
  tag: string,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'commit-'));
  try {
    await extractCommit(commit, folder);
    const args = ['build', '--quiet', '--network=host', '--tag', tag, folder];
    await output('docker', args, environment, signal);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Replaces every container of a running platform, two of everything, by one of the image that `PLATFORM_IMAGE` names: one after the other,
 * under a steady load by way of a balancer.
 *
 * @returns whether no caller noticed, and every process ended in order
 */
export async function replaceAll(
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<boolean> {
  const docker = (...args: string[]) => output('docker', args, environment, signal);
  const [first, last] = environment.PORT!.split('-').map(Number) as [number, number];
  const gateways = Array.from({ length: last - first + 1 }, (_, n) => `http://127.0.0.1:${first + n}`);
  const balancer = await startBalancer(gateways);
  const demo = await demoOf(docker);
  const load = await SteadyLoad.start({ url: balancer.url, demo, perSecond: REQUESTS_PER_SECOND });
  const codes = new Set<string>();
  try {
    for (const part of parts) {
      const before = load.count();
      const former = (await docker('compose', 'ps', '--quiet', part)).trim().split('\n');
      for (const container of former) {
        await docker('stop', container);
        codes.add((await docker('inspect', '--format', '{{.State.ExitCode}}', container)).trim());
        await docker('rm', container);
        const one = ['--scale', `${part}=${REPLICAS}`, part];
        await docker(
          'compose',
          'up',
          '--no-build',
          '--no-deps',
          '--no-recreate',
          '--detach',
          '--wait',
          ...one,
        );
        await delay(PAUSE_MS);
      }
      say(`${part}: ${former.length} replaced, ${told(load.since(before))}`);
    }
  } finally {
    await load.stop();
    await balancer.close();
  }
  const total = load.count();
  const refused = `${balancer.refused} connections refused`;
  const exits = `exit codes ${[...codes].join(', ')}`;
  say(`All: ${told(total)}, ${refused}, ${exits}; longest answer ${load.longestMs.toFixed(0)} ms`);
  return total.failed.size === 0 && balancer.refused === 0 && [...codes].join() === '0';
}

async function demoOf(docker: (...args: string[]) => Promise<string>): Promise<{ owner: { token: string } }> {
  const folder = mkdtempSync(join(tmpdir(), 'demo-'));
  try {
    const file = join(folder, 'demo.json');
    await docker('compose', 'cp', 'demo:/var/lib/action-platform/demo/demo.json', file);
    return JSON.parse(readFileSync(file, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
