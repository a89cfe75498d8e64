import { fileURLToPath } from 'node:url';
import { freePort } from '@action-platform/local-servers';
import { startEngine } from './engine.ts';
import { output, shown } from './run.ts';
import { provideImages } from './stand-ins.ts';

/**
 * `npm run test:container`: builds the image, brings `docker-compose.yml` up as it is, runs `*.container.test.ts` against it and takes
 * everything down again. On a machine without a container engine, or without a way to the official images, it makes its own.
 */
const repository = fileURLToPath(new URL('../../..', import.meta.url));
const say = (line: string) =>
  process.stderr.write(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${line}\n`);

const jest = [
  '--disable-warning=ExperimentalWarning',
  '--experimental-vm-modules',
  'node_modules/jest/bin/jest.js',
  ...['--config', 'deploy/jest.config.mjs', '--selectProjects', 'container'],
];

process.chdir(repository);
process.exitCode = await main();

async function main(): Promise<number> {
  say('Looking for a container engine');
  const engine = await startEngine();
  const environment = {
    ...engine.environment,
    COMPOSE_PROJECT_NAME: 'action-platform-test',
    PLATFORM_IMAGE: 'action-platform:test',
    PORT: String(await freePort()),
  };
  const docker = (...args: string[]) => output('docker', args, environment);
  try {
    say('Getting the official images');
    const standIns = await provideImages(environment);
    if (standIns.length > 0) say(`Standing in for what cannot be pulled: ${standIns.join(', ')}`);
    say('Building the image');
    await docker('build', '--quiet', '--network=host', '--tag', environment.PLATFORM_IMAGE, '.');
    say('docker compose up');
    try {
      await docker('compose', 'up', '--no-build', '--detach', '--quiet-pull');
      await docker('wait', `${environment.COMPOSE_PROJECT_NAME}-demo-1`);
      say('Testing');
      return await shown(process.execPath, jest, environment);
    } catch (error) {
      process.stderr.write(await docker('compose', 'logs', '--no-color', '--tail=20'));
      throw error;
    } finally {
      await docker('compose', 'down', '--volumes', '--timeout=30');
    }
  } finally {
    await engine.stop();
    say('All is down again');
  }
}
