import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { output } from '../run.ts';

/** A container of the stack, in the words of `docker inspect`. */
export interface Container {
  readonly Id: string;
  readonly Name: string;
  readonly Config: {
    readonly Image: string;
    readonly Labels: Readonly<Record<string, string>>;
  };
  readonly State: {
    readonly Status: string;
    readonly StartedAt: string;
    readonly ExitCode: number;
    readonly OOMKilled: boolean;
    readonly Pid: number;
    readonly Health?: { readonly Status: string };
  };
  readonly RestartCount: number;
}

/** The TLS proxy in front of the gateway. */
export const proxy = `https://localhost:${process.env.TLS_PORT}`;
const project = process.env.COMPOSE_PROJECT_NAME;

/** Runs `docker` with these arguments and returns its output. */
export const docker = (...args: string[]) => output('docker', args);

/** Every container of the stack, exited ones included, by its service in `docker-compose.yml`. */
export async function containers(): Promise<Map<string, Container>> {
  const ids = (await docker('compose', 'ps', '--all', '--quiet')).trim().split('\n');
  const all: Container[] = JSON.parse(await docker('inspect', ...ids));
  return new Map(all.map((container) => [container.Config.Labels['com.docker.compose.service']!, container]));
}

/** The container of a service. */
export const containerOf = async (service: string) =>
  (await docker('compose', 'ps', '--all', '--quiet', service)).trim();

/** The name of a network. */
export const networkOf = (name: string) => `${project}_${name}`;

/** Runs a program in the container of a service. */
export const inside = async (service: string, ...command: string[]) =>
  await docker('exec', await containerOf(service), ...command);

/** Runs JavaScript in the container of a service, and returns its output. */
export const evaluate = (service: string, script: string) => inside(service, 'node', '--eval', script);

/** The gateway itself. An upgrade changes its port. */
export const gatewayUrl = async () => `http://${(await docker('compose', 'port', 'gateway', '8080')).trim()}`;

/** The platform's readiness at its gateway: 200, 503, or 0 without an answer. */
async function readiness(): Promise<number> {
  try {
    const { status, body } = await fetch(`${await gatewayUrl()}/readyz`, {
      signal: AbortSignal.timeout(3_000),
    });
    await body?.cancel();
    return status;
  } catch {
    return 0;
  }
}

/** Polls until a condition holds. */
export async function until(holds: () => Promise<boolean>, timeoutMs = 60_000): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`Timed out after ${timeoutMs / 1_000} s.`);
    await delay(200);
  }
}

export const untilReady = () => until(async () => (await readiness()) === 200);

/** Copies `demo.json`, with the demo's tokens and the gateway's current address, to this machine. */
export async function copyDemo(to: string): Promise<{ owner: { token: string }; workspace_id: string }> {
  await docker('compose', 'cp', 'demo:/var/lib/action-platform/demo/demo.json', to);
  const demo = { ...JSON.parse(readFileSync(to, 'utf8')), base_url: await gatewayUrl() };
  writeFileSync(to, JSON.stringify(demo));
  return demo;
}
