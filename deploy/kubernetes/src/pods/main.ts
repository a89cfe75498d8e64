/**
 * `npm run test:pods`: runs the pods of the overlay `evaluation`, as they are rendered, with podman: every service, NATS and MongoDB. It asks
 * what the kubelet would ask, looks at each container as the kernel sees it, and sends requests through. It says what podman was not given.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { output } from '@action-platform/container';
import type { KubernetesObject } from '../objects.ts';
import { render } from '../render.ts';
import { DEMO, requireAnswers, startIssuer } from './demo.ts';
import { saveImages } from './images.ts';
import { makeShared, Podman } from './podman.ts';
import { NETWORK, placePods } from './pods.ts';
import { play, requireLockedUp, requireMetrics, untilReady } from './try-pods.ts';

const say = (line: string) =>
  process.stderr.write(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${line}\n`);

/** What becomes a pod, and what pods mount. */
const PLAYED = ['Deployment', 'StatefulSet', 'Job', 'Secret', 'ConfigMap', 'PersistentVolumeClaim'];

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => interruption.abort(new Error(`Ended by ${signal}.`)));
const { signal } = interruption;

process.chdir(fileURLToPath(new URL('../../../..', import.meta.url)));
try {
  await main();
} catch (error) {
  const { message } = signal.aborted ? (signal.reason as Error) : (error as Error);
  say(`The pods were not, or not all, tried: ${message.trim()}`);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const shared = makeShared();
  const images = join(shared, 'images.tar');
  const environment = await saveImages(images, signal, say);
  const podman = await Podman.start(shared, environment, signal);
  try {
    await podman.run('load', '--quiet', '--input', '/shared/images.tar');
    rmSync(images);
    const objects = (await renderDeployment(join(shared, 'deployment'))).map(DEMO.signsIn);
    await podman.run('network', 'create', '--disable-dns', '--subnet', NETWORK.subnet, NETWORK.name);
    await startIssuer(podman);
    const pods = placePods(objects, { [DEMO.issuer.host]: DEMO.issuer.address });
    for (const kind of ['StatefulSet', 'Job', 'Deployment'] as const) {
      const some = pods.filter((pod) => pod.kind === kind);
      for (const pod of some) await play(podman, pod);
      for (const pod of some) await untilReady(podman, pod);
      say(`Ready: ${some.map(({ name }) => name).join(', ')}`);
    }
    for (const pod of pods) if (pod.kind !== 'Job') await requireLockedUp(podman, pod);
    say(
      'Each as UID 1000, without a capability and a way to gain one, with seccomp, with a root that cannot be written',
    );
    await requireAnswers(podman, pods);
    for (const pod of pods) if (pod.kind === 'Deployment') await requireMetrics(podman, pod);
    say('Every service answered by way of the gateway, and tells its metrics');
    const others = new Set(objects.map(({ kind }) => kind).filter((kind) => !PLAYED.includes(kind)));
    say(`Not given to podman, which has no such thing: ${[...others].join(', ')}`);
  } finally {
    await podman.stop();
    say('All is down again');
  }
}

/** Makes a deployment as docs/operations.md says, and renders the overlay with it. */
async function renderDeployment(folder: string): Promise<KubernetesObject[]> {
  mkdirSync(folder, { recursive: true });
  const peers = [0, 1, 2].map((ordinal) => `nats-${ordinal}.nats-peers`);
  const busHosts = ['nats', ...peers].flatMap((host) => ['--bus-host', host]);
  const places = ['--seen-at', '/run/platform', '--database-host', 'mongodb-0.mongodb:27017'];
  const issuer = ['--certificate', DEMO.issuer.host];
  const init = ['deploy/admin/src/main.ts', 'deployment', 'init', '--dir', folder];
  await output(process.execPath, [...init, ...busHosts, ...places, ...issuer], process.env, signal);
  return render('evaluation', folder);
}
