import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Podman } from './podman.ts';
import { FOLDERS, NETWORK, type PlacedPod } from './pods.ts';

const POLL_MS = 500;
/** As long as a startup probe of the manifests allows at most, in milliseconds. */
const PATIENCE_MS = 120_000;
/** The user of every pod. */
const USER = 1000;

/** Starts a pod of `podman kube play`. */
export async function play(podman: Podman, { name, address, files, objects }: PlacedPod): Promise<void> {
  for (const [path, base64] of Object.entries(files)) {
    const file = join(podman.shared, FOLDERS.slice('/shared/'.length), path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, Buffer.from(base64, 'base64'), { mode: 0o444 });
  }
  const file = `${name}.yaml`;
  writeFileSync(join(podman.shared, file), objects.map((object) => JSON.stringify(object)).join('\n---\n'));
  await podman.run('kube', 'play', '--quiet', '--network', NETWORK.name, '--ip', address, `/shared/${file}`);
}

/**
 * Waits until a pod is ready, as the kubelet finds out: it asks what the manifest says, at the address of the pod. A Job has to end with 0.
 *
 * @throws with the last lines of its log when it takes too long
 */
export async function untilReady(podman: Podman, pod: PlacedPod): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await isReady(podman, pod))) {
    if (performance.now() > end) {
      const log = await podman.run('logs', '--tail', '10', containerOf(pod));
      throw new Error(`${pod.name} is not ready:\n${log}`);
    }
    await delay(POLL_MS);
  }
}

async function isReady(podman: Podman, pod: PlacedPod): Promise<boolean> {
  if (pod.kind === 'Job') {
    const state = await podman.run(
      'inspect',
      '--format',
      '{{.State.Status}} {{.State.ExitCode}}',
      containerOf(pod),
    );
    return state.trim() === 'exited 0';
  }
  const [{ ports = [], readinessProbe } = {}] = pod.spec.containers;
  const { httpGet, tcpSocket } = readinessProbe!;
  const asked = (httpGet ?? tcpSocket)!.port;
  const port = ports.find(({ name }) => name === asked)?.containerPort ?? asked;
  const probe =
    httpGet === undefined
      ? ['bash', '-c', `< /dev/tcp/${pod.address}/${port}`]
      : ['curl', '--silent', '--fail', '--max-time', '4', `http://${pod.address}:${port}${httpGet.path}`];
  return await podman.inside(...probe).then(
    () => true,
    () => false,
  );
}

/**
 * Looks at a container as the kernel sees it.
 *
 * @throws when it runs as somebody else, has a capability or can gain one, may make any system call, or can write its root
 */
export async function requireLockedUp(podman: Podman, pod: PlacedPod): Promise<void> {
  const inside = (...command: string[]) => podman.run('exec', containerOf(pod), ...command);
  const status = await inside('cat', '/proc/1/status');
  const wanted = [`Uid:\t${USER}\t${USER}\t${USER}\t${USER}`, 'NoNewPrivs:\t1', 'Seccomp:\t2'];
  for (const set of ['CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) wanted.push(`${set}:\t0000000000000000`);
  const missing = wanted.filter((line) => !status.split('\n').includes(line));
  if (missing.length > 0) throw new Error(`${pod.name} is not locked up: no ${missing.join(', ')}.`);
  const written = await inside('touch', '/x').then(
    () => 'its root was written',
    ({ message }: Error) => message,
  );
  if (!written.includes('Read-only file system')) throw new Error(`${pod.name}: ${written}`);
}

/** Asks for metrics as a Prometheus does. @throws when there are none */
export async function requireMetrics(podman: Podman, { name, address, spec }: PlacedPod): Promise<void> {
  const port = spec.containers[0]!.ports!.find((each) => each.name === 'metrics')!.containerPort;
  const metrics = await podman.inside('curl', '--silent', '--fail', `http://${address}:${port}/metrics`);
  if (!metrics.includes('# TYPE')) throw new Error(`${name} tells no metrics.`);
}

function containerOf({ name, spec }: PlacedPod): string {
  return `${name}-${spec.containers[0]!.name}`;
}
