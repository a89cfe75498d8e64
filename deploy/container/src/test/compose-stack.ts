import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { output } from '../run.ts';

/** A container of the stack, as `docker inspect` tells. */
export interface Container {
  readonly Name: string;
  readonly Config: { readonly User: string; readonly Labels: Readonly<Record<string, string>> };
  readonly State: {
    readonly Status: string;
    readonly ExitCode: number;
    readonly OOMKilled: boolean;
    readonly Pid: number;
    readonly Health?: { readonly Status: string };
  };
  readonly HostConfig: {
    readonly ReadonlyRootfs: boolean;
    readonly Memory: number;
    readonly PidsLimit: number;
  };
}

export const gateway = `http://127.0.0.1:${process.env.PORT}`;
const project = process.env.COMPOSE_PROJECT_NAME;

/** Runs `docker` with these arguments and returns what it printed. */
export const docker = (...args: string[]) => output('docker', args);

/** Every container of the stack, also those that have done their work; by the service of `docker-compose.yml`. */
export async function containers(): Promise<Map<string, Container>> {
  const ids = (await docker('compose', 'ps', '--all', '--quiet')).trim().split('\n');
  const all: Container[] = JSON.parse(await docker('inspect', ...ids));
  return new Map(all.map((container) => [container.Config.Labels['com.docker.compose.service']!, container]));
}

/** The name that Compose gives the container of a service. */
export const nameOf = (service: string) => `${project}-${service}-1`;

/** The name that Compose gives a network. */
export const networkOf = (name: string) => `${project}_${name}`;

/** Runs a program in the container of a service. */
export const inside = (service: string, ...command: string[]) => docker('exec', nameOf(service), ...command);

/** Runs JavaScript in the container of a service, and returns what it printed. */
export const evaluate = (service: string, script: string) => inside(service, 'node', '--eval', script);

/** The state of the platform, as its gateway says: 200, 503, or 0 when it does not answer. */
export async function readiness(): Promise<number> {
  try {
    const { status, body } = await fetch(`${gateway}/readyz`, { signal: AbortSignal.timeout(3_000) });
    await body?.cancel();
    return status;
  } catch {
    return 0;
  }
}

/** Waits until something is so, asking again and again. */
export async function until(isSo: () => Promise<boolean>, patienceMs = 60_000): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error('It has not become so in time.');
    await delay(200);
  }
}

export const untilReady = () => until(async () => (await readiness()) === 200);
export const untilNotReady = () => until(async () => (await readiness()) !== 200);

/** What a script needs to try the platform, as the demo wrote it; a copy on this machine. */
export async function copyDemo(to: string): Promise<{ owner: { token: string }; workspace_id: string }> {
  await docker('compose', 'cp', 'demo:/var/lib/action-platform/demo/demo.json', to);
  return JSON.parse(readFileSync(to, 'utf8'));
}
