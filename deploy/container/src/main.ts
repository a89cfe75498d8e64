import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@action-platform/local-servers';
import { exitCodeOf } from '@action-platform/toolchain';
import { startEngine } from './engine.ts';
import { output } from './run.ts';
import { imagesOfStandIns, provideImages } from './stand-ins.ts';

/**
 * `npm run e2e -- container`: builds the image, starts `docker-compose.yml` with its demo and the profile `tls`, runs `*.container.test.ts` against it
 * and removes everything, also after Ctrl-C. Arguments select tests. Without a container engine the command starts its own.
 */
const jest = [
  'node_modules/jest/bin/jest.js',
  ...['--config', 'deploy/jest.config.mjs', '--selectProjects', 'container', '--runInBand'],
  ...process.argv.slice(2),
];
const say = (line: string) =>
  process.stderr.write(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${line}\n`);

const profiles = ['--profile', 'demo', '--profile', 'tls'];

/** Ctrl-C ends the current command; the clean-up still runs. */
const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(name, () => interruption.abort(new Error(`Ended by ${name}.`)));
const { signal } = interruption;

process.chdir(fileURLToPath(new URL('../../..', import.meta.url)));
try {
  process.exitCode = await main();
} catch (error) {
  const { message } = signal.aborted ? (signal.reason as Error) : (error as Error);
  say(`The test of the containers did not finish: ${message.trim()}`);
  process.exitCode = 1;
}

/** A range in which a gateway's successor finds a port. */
async function twoPorts(): Promise<string> {
  const first = await freePort();
  return (await freePort(first + 1)) === first + 1 ? `${first}-${first + 1}` : await twoPorts();
}

async function main(): Promise<number> {
  say('Looking for a container engine');
  const engine = await startEngine();
  const environment = {
    ...engine.environment,
    COMPOSE_PROJECT_NAME: 'action-platform-test',
    PLATFORM_IMAGE: 'action-platform:test',
    PORT: await twoPorts(),
    TLS_PORT: String(await freePort()),
  };
  const run = (program: string, ...args: string[]) => output(program, args, environment, signal);
  const docker = (...args: string[]) => run('docker', ...args);
  /** Also runs after Ctrl-C. */
  const undo = (program: string, ...args: string[]) => output(program, args, environment);
  const folder = mkdtempSync(join(tmpdir(), 'containers-'));
  try {
    say('Getting the official images');
    const standIns = await provideImages(run);
    if (standIns.length > 0) say(`Stand-ins replace these images: ${standIns.join(', ')}`);
    say('Building the image');
    await docker('build', '--quiet', '--network=host', '--tag', environment.PLATFORM_IMAGE, '.');
    try {
      say('docker compose --profile demo --profile tls up');
      await docker('compose', ...profiles, 'up', '--no-build', '--detach', '--quiet-pull');
      await docker('wait', `${environment.COMPOSE_PROJECT_NAME}-demo-1`);
      // Node.js reads certificate authorities only at its start.
      const authority = join(folder, 'root.crt');
      await docker('compose', 'cp', 'proxy:/data/caddy/pki/authorities/local/root.crt', authority);
      say('Testing');
      const trusting = { ...environment, NODE_EXTRA_CA_CERTS: authority };
      const tests = spawn(process.execPath, jest, { env: trusting, stdio: 'inherit', signal });
      return await exitCodeOf(tests);
    } catch (error) {
      if (!signal.aborted)
        process.stderr.write(await undo('docker', 'compose', 'logs', '--no-color', '--tail=20'));
      throw error;
    } finally {
      await undo('docker', 'compose', ...profiles, 'down', '--volumes', '--timeout=30');
    }
  } finally {
    rmSync(folder, { recursive: true });
    // A stand-in must not be taken for the image of its name.
    if (!engine.isPrivate) {
      const made = [environment.PLATFORM_IMAGE, ...(await imagesOfStandIns(undo))];
      await undo('docker', 'image', 'rm', '--force', ...made);
    }
    await engine.stop();
    say('Everything is removed');
  }
}
