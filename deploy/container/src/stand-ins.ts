import { copyFileSync, cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheDir, findMongod, findNatsServer } from '@action-platform/toolchain';

const dockerfile = fileURLToPath(new URL('../stand-ins.Dockerfile', import.meta.url));

/** The official images of the platform, and of the version from which its tests upgrade, each with the build stage of its stand-in. */
const images = {
  'node:26-bookworm-slim': 'node',
  'mongo:8.2': 'mongo',
  'nats:2.14-alpine': 'nats',
  'caddy:2.11-alpine': 'caddy',
  'caddy:2.10-alpine': 'caddy',
} as const;

/** Packages of every stand-in: libraries of mongod and Node.js, busybox for health checks. Caddy is a package itself. */
const base = ['ca-certificates', 'libatomic1', 'libcurl4', 'libgssapi-krb5-2', 'busybox', 'caddy'];

/** Marks stand-ins and images that are built on them. */
const LABEL = 'action-platform.stand-in';
const BASE_IMAGE = 'stand-in-base';

/** Runs a program and returns its output. */
type Run = (program: string, ...args: string[]) => Promise<string>;

/**
 * Pulls the official images. An image that cannot be pulled gets a stand-in of the same name, built from Debian's packages and the programs
 * of the local stack.
 *
 * @returns the names of the stand-ins
 */
export async function provideImages(run: Run): Promise<string[]> {
  const before = await imagesOfStandIns(run);
  const missing: string[] = [];
  for (const image of Object.keys(images)) {
    const isImageHere = !before.includes(image) && (await succeeds(run('docker', 'image', 'inspect', image)));
    if (!isImageHere && !(await succeeds(run('docker', 'pull', '--quiet', image)))) missing.push(image);
  }
  const unmade = missing.filter((image) => !before.includes(image));
  if (unmade.length > 0) await makeStandIns(unmade, run);
  return missing;
}

/** The names of all stand-ins in an engine, and of images that are built on them. */
export async function imagesOfStandIns(run: Run): Promise<string[]> {
  const filters = ['--filter', `label=${LABEL}`, '--filter', 'dangling=false'];
  const names = await run('docker', 'image', 'ls', ...filters, '--format', '{{.Repository}}:{{.Tag}}');
  return names.split('\n').filter(Boolean);
}

async function makeStandIns(wanted: readonly string[], run: Run): Promise<void> {
  const archive = join(cacheDir(), 'stand-in-base-with-caddy.tar');
  if (!existsSync(archive)) {
    const draft = `${archive}.draft.tar`;
    await run('mmdebstrap', '--quiet', '--variant=minbase', `--include=${base}`, 'bookworm', draft);
    renameSync(draft, archive);
  }
  const context = mkdtempSync(join(tmpdir(), 'stand-ins-'));
  try {
    // Images that are built on it inherit the label.
    await run('docker', 'import', '--change', `LABEL ${LABEL}=1`, archive, BASE_IMAGE);
    copyFileSync(process.execPath, join(context, 'node'));
    copyFileSync(await findMongod(), join(context, 'mongod'));
    copyFileSync(await findNatsServer(), join(context, 'nats-server'));
    copyFileSync(dockerfile, join(context, 'Dockerfile'));
    // `npm root --global` follows the Node.js that runs it, which may be a fetched one without npm.
    const npm = await run('sh', '-c', 'realpath "$(command -v npm)"');
    cpSync(dirname(dirname(npm)), join(context, 'npm'), { recursive: true, dereference: true });
    // The build reaches the registry with the certificate authorities of this machine.
    const authorities = process.env.NODE_EXTRA_CA_CERTS || '/etc/ssl/certs/ca-certificates.crt';
    copyFileSync(authorities, join(context, 'authorities.pem'));
    for (const image of wanted) {
      const target = images[image as keyof typeof images];
      const options = ['--quiet', '--network=host', '--target', target, '--tag', image];
      await run('docker', 'build', ...options, context);
    }
  } finally {
    rmSync(context, { recursive: true });
  }
}

async function succeeds(running: Promise<string>): Promise<boolean> {
  return await running.then(
    () => true,
    () => false,
  );
}
