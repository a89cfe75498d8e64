import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort } from '@action-platform/local-servers';
import { commitOf } from '@action-platform/testing';
import { startEngine } from './engine.ts';
import { buildCommit, replaceAll, twice, twoGateways } from './rolling.ts';
import { output, shown } from './run.ts';
import { imagesOfStandIns, provideImages } from './stand-ins.ts';

/**
 * `npm run test:container`: builds the image, brings `docker-compose.yml` up as it is, runs `*.container.test.ts` against it and takes
 * everything down again, also after Ctrl-C. On a machine without a container engine, or without a way to the official images, it makes
 * its own; where it cannot, it says why.
 *
 * With `--rolling` it runs two of everything instead, and replaces each container under a steady load; with `--from COMMIT` those that are
 * replaced are of that older version.
 */
const { values: options } = parseArgs({
  options: { rolling: { type: 'boolean', default: false }, from: { type: 'string' } },
});
const isRolling = options.rolling || options.from !== undefined;

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const say = (line: string) =>
  process.stderr.write(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${line}\n`);

const jest = [
  '--disable-warning=ExperimentalWarning',
  '--experimental-vm-modules',
  'node_modules/jest/bin/jest.js',
  ...['--config', 'deploy/jest.config.mjs', '--selectProjects', 'container'],
];

/** Ctrl-C ends what is under way; what was started is taken down all the same. */
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => interruption.abort(new Error(`Ended by ${signal}.`)));
const { signal } = interruption;

process.chdir(repository);
try {
  process.exitCode = await main();
} catch (error) {
  const { message } = signal.aborted ? (signal.reason as Error) : (error as Error);
  say(`The containers were not, or not all, tried: ${message.trim()}`);
  process.exitCode = 1;
}

async function main(): Promise<number> {
  say('Looking for a container engine');
  const engine = await startEngine();
  const environment = {
    ...engine.environment,
    COMPOSE_PROJECT_NAME: 'action-platform-test',
    PLATFORM_IMAGE: 'action-platform:test',
    PORT: String(await freePort()),
    ...(isRolling && (await twoGateways())),
  };
  const docker = (...args: string[]) => output('docker', args, environment, signal);
  const undo = (...args: string[]) => output('docker', args, environment);
  const images = [environment.PLATFORM_IMAGE];
  try {
    say('Getting the official images');
    const standIns = await provideImages(environment, signal);
    if (standIns.length > 0)
      say(`Standing in for what cannot be pulled, so not tried itself: ${standIns.join(', ')}`);
    say('Building the image');
    await docker('build', '--quiet', '--network=host', '--tag', environment.PLATFORM_IMAGE, '.');
    const started = { ...environment };
    if (options.from !== undefined) {
      const commit = await commitOf(options.from);
      say(`Building the image of ${commit}`);
      started.PLATFORM_IMAGE = `action-platform:${commit}`;
      images.push(started.PLATFORM_IMAGE);
      await buildCommit(commit, started.PLATFORM_IMAGE, environment, signal);
    }
    say('docker compose up');
    try {
      const up = ['compose', 'up', '--no-build', '--detach', '--quiet-pull'];
      await output('docker', [...up, ...(isRolling ? twice : [])], started, signal);
      await docker('wait', `${environment.COMPOSE_PROJECT_NAME}-demo-1`);
      say('Testing');
      if (isRolling) return (await replaceAll(environment, signal, say)) ? 0 : 1;
      return await shown(process.execPath, jest, environment, signal);
    } catch (error) {
      if (!signal.aborted) process.stderr.write(await undo('compose', 'logs', '--no-color', '--tail=20'));
      throw error;
    } finally {
      await undo('compose', 'down', '--volumes', '--timeout=30');
    }
  } finally {
    // Nobody is to take a stand-in for what its name says.
    if (!engine.isPrivate) {
      const standIns = await imagesOfStandIns(environment);
      await undo('image', 'rm', '--force', ...images, ...standIns);
    }
    await engine.stop();
    say('All is down again');
  }
}
