import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { processes } from '@action-platform/contracts/services';
import { freePort } from '@action-platform/local-servers';
import { extractCommit, SteadyLoad, tallyText } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { output } from '../run.ts';
import type { Container } from './compose-stack.ts';

/** An older version that has every service. */
const FORMER = '9ca783fe';
const PER_SECOND = 20;
/** The longest time that a command may take: a minute or two on a free machine. */
const LONGEST_MS = 1_800_000;
const PROFILES = '--profile demo --profile tls';
const servers = ['nats', 'mongo', 'proxy'];

/** Each version has a folder and an image of its own; the project and its volumes are the same. */
type Version = 'former' | 'current' | 'next';
const work = mkdtempSync(join(tmpdir(), 'versions-'));
const folders = { former: join(work, 'former'), current: process.cwd(), next: join(work, 'next') };
const images = {
  former: 'action-platform:test-former',
  current: process.env.PLATFORM_IMAGE!,
  next: 'action-platform:test-next',
};
const environment: NodeJS.ProcessEnv = { ...process.env, COMPOSE_PROJECT_NAME: 'action-platform-versions' };

/** Pastes a command into a shell in the folder of a version. */
const paste = (version: Version, command: string, image = images[version]) =>
  output('bash', ['-euo', 'pipefail', '-c', `cd "$0" && ${command}`, folders[version]], {
    ...environment,
    PLATFORM_IMAGE: image,
  });

async function everyContainer(): Promise<Container[]> {
  const ids = await paste('current', `docker compose ${PROFILES} ps --all --quiet`);
  return JSON.parse(await output('docker', ['inspect', ...ids.trim().split('\n')], environment));
}

const serviceOf = ({ Config }: Container) => Config.Labels['com.docker.compose.service']!;

/** The servers that run, with the time of their start; the demo is a job that ends. */
const running = (all: readonly Container[]) =>
  all
    .filter((container) => container.State.Status === 'running' && serviceOf(container) !== 'demo')
    .map((container) => [serviceOf(container), container.Id, container.State.StartedAt])
    .toSorted();

/** Everything that was made from the platform's image is of this version, and nothing of the former is left. */
function expectVersion(version: Version, all: readonly Container[]): void {
  const made = all.filter(({ Config }) => Config.Image.startsWith('action-platform:'));
  expect(made.length).toBeGreaterThan(10);
  expect(made.map((container) => [serviceOf(container), container.Config.Image])).toEqual(
    made.map((container) => [serviceOf(container), images[version]]),
  );
}

let load: SteadyLoad;
const authorities = getCACertificates('default');
beforeAll(async () => {
  const first = await freePort();
  Object.assign(environment, { PORT: `${first}-${first + 1}`, TLS_PORT: String(await freePort()) });
  mkdirSync(folders.former);
  await extractCommit(FORMER, folders.former);
  mkdirSync(folders.next);
  await paste(
    'current',
    `git ls-files -z --cached --others --exclude-standard | tar --create --null --ignore-failed-read --files-from - | tar --extract --directory ${folders.next}`,
  );
  writeFileSync(join(folders.next, 'CHANGELOG.md'), '## The next version\n');
  for (const version of ['former', 'next'] as const)
    await paste(version, `docker build --quiet --network=host --tag ${images[version]} .`);
  await paste('former', `docker compose ${PROFILES} up --no-build --detach`);
  await paste('former', 'docker wait "$(docker compose ps --all --quiet demo)"');
  await paste('former', `docker compose cp demo:/var/lib/action-platform/demo/demo.json ${work}/`);
  await paste('former', `docker compose cp proxy:/data/caddy/pki/authorities/local/root.crt ${work}/`);
  setDefaultCACertificates([...authorities, readFileSync(join(work, 'root.crt'), 'utf8')]);
  const demo = JSON.parse(readFileSync(join(work, 'demo.json'), 'utf8'));
  load = await SteadyLoad.start({
    url: `https://localhost:${environment.TLS_PORT}`,
    demo,
    perSecond: PER_SECOND,
  });
}, LONGEST_MS);
afterAll(async () => {
  await load?.stop();
  setDefaultCACertificates(authorities);
  await paste('current', `docker compose ${PROFILES} down --volumes --remove-orphans --timeout 30`);
  rmSync(work, { recursive: true });
}, LONGEST_MS);

const up = `docker compose ${PROFILES} up --no-build --detach`;
/** Commands that callers do not notice, in this order; for a rotation a file of `mail` that it replaces. */
const steps: readonly (readonly [Version, string, file: string])[] = [
  ['current', up, ''],
  ['current', up.replace(PROFILES, ''), ''],
  // docs/operations.md puts the variable into .env.
  ['current', `GRANTS_REPLICAS=2 ${up}`, ''],
  ['current', 'deploy/compose rotate keys', 'credentials/bus.seed'],
  ['current', 'deploy/compose rotate database-users', 'credentials/database.url'],
  ['current', 'deploy/compose rotate certificates', 'tls/ca.pem'],
  ['current', up, ''],
  ['next', 'deploy/compose upgrade', ''],
  ['next', up, ''],
  ['current', 'deploy/compose rollback', ''],
  ['current', up, ''],
];

test('docs/operations.md names these commands', () => {
  const page = readFileSync('docs/operations.md', 'utf8');
  const commands = page.matchAll(/^ {4}(deploy\/compose .+)$/gm).map(([, command]) => command);
  const tested = new Set(
    steps.map(([, command]) => command).filter((command) => command.startsWith('deploy/')),
  );
  expect(new Set(commands)).toEqual(tested);
});

test(
  'an upgrade from an older version replaces every process, and each becomes healthy',
  async () => {
    const before = load.count();
    await paste('current', 'deploy/compose upgrade');
    process.stderr.write(`from ${FORMER}: ${tallyText(load.since(before))}\n`);
    const all = await everyContainer();
    expectVersion('current', all);
    for (const part of processes)
      expect(all.filter((container) => serviceOf(container) === part)).toMatchObject([
        { State: { Health: { Status: 'healthy' } } },
      ]);
  },
  LONGEST_MS,
);

test.each(steps)(
  '%s: callers do not notice `%s`',
  async (version, command, file) => {
    const read = async () =>
      file && (await paste(version, `docker compose exec -T mail cat /run/platform/${file}`));
    const before = load.count();
    const [formerly, content] = [running(await everyContainer()), await read()];
    await paste(version, command);
    const tally = load.since(before);
    process.stderr.write(`${command}: ${tallyText(tally)}\n`);
    const all = await everyContainer();
    expectVersion(version, all);
    expect(tally.failed).toEqual(new Map());
    const isUp = command.endsWith('up --no-build --detach');
    const kept = isUp ? formerly : formerly.filter(([service]) => servers.includes(service!));
    expect(running(all)).toEqual(expect.arrayContaining(kept));
    if (command.startsWith('GRANTS_REPLICAS')) environment.GRANTS_REPLICAS = '2';
    const replicas = running(all).filter(([service]) => service === 'grants').length;
    expect(replicas).toBe(Number(environment.GRANTS_REPLICAS ?? 1));
    if (file) expect(await read()).not.toBe(content);
  },
  480_000,
);

test('an image of another version is refused before anything changes', async () => {
  const formerly = running(await everyContainer());
  await expect(paste('current', 'deploy/compose rollback', images.next)).rejects.toThrow(
    `${images.next} is not of this folder`,
  );
  expect(running(await everyContainer())).toEqual(formerly);
});
