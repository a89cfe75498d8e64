import { consoleRoutes, docsRoutes } from '@action-platform/contracts/routes';
import { collectGarbage } from '@action-platform/service-host';
import { tryLock } from '@action-platform/toolchain';
import { bucketProblem } from './bucket-problem.ts';
import { type Demo, demoUsers, prepareDemo } from './demo-workspace.ts';
import { help } from './help.ts';
import { type LocalDirectory, localDirectory, makeDirectories, writingTo } from './local-directory.ts';
import { readOptions } from './options.ts';
import { readStack } from './stack/bus-access.ts';
import { hasConsole } from './stack/session-environment.ts';
import { startStack } from './stack/stack.ts';
import { Supervisor } from './stack/supervisor.ts';
import { readStartConfiguration } from './start-configuration.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

const asked = Promise.withResolvers<void>();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => asked.resolve());

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    process.stdout.write(help());
    process.exit(0);
  }
  const directory = localDirectory(process.env);
  const configuration = readStartConfiguration(process.env, directory, options.replicas);
  const lock = await writingTo(directory, () => {
    makeDirectories(directory);
    return takeLock(directory);
  });
  const supervisor = new Supervisor(say);
  const serve = async () => {
    const context = { supervisor, directory, progress: say };
    const asks = { ...configuration, ...options, demo: () => demoUsers(directory) };
    const gateways = await startStack(context, asks, process.env);
    const demo = await prepareDemo(directory, readStack(directory), gateways, say);
    collectGarbage();
    say(greeting(demo, directory));
    const { FILES_S3_BUCKET: bucket } = process.env;
    if (bucket)
      void bucketProblem(directory.logs, bucket, performance.timeOrigin).then(
        (problem) => problem && say(problem),
      );
    await asked.promise;
  };
  try {
    await Promise.race([serve(), supervisor.givenUp, asked.promise]);
  } finally {
    say('Stopping …');
    await supervisor.stop();
    lock.release();
  }
  say('Stopped. The next start continues with the same data.');
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

/** Takes the lock of the directory; the error for a running stack says what to do. */
async function takeLock({ lock: path, root }: LocalDirectory) {
  const lock = await tryLock(path);
  if (!('holder' in lock)) return lock;
  throw new Error(
    `A platform is already running in ${root} (process ${lock.holder}): stop it, or set LOCAL_DIR and PORT to start another beside it.`,
  );
}

/** The last lines of `npm start`: an address, a token and a first call to paste. */
function greeting({ base_url, gateways, owner }: Demo, { demoFile, logs }: LocalDirectory): string {
  const others = gateways.length > 1 ? `\n  Further gateways: ${gateways.slice(1).join(', ')}` : '';
  const consolePage = hasConsole(process.env)
    ? `\n  Console, for a browser: ${base_url}${consoleRoutes.home.path}`
    : '';
  return `
The platform is ready after ${(performance.now() / 1000).toFixed(1)} s.

  Address: ${base_url}${others}
  API reference, for a browser: ${base_url}${docsRoutes.reference.path}${consolePage}
  Logs: ${logs}
  Tokens and ids, for scripts: ${demoFile}

Try it, as the demo Owner (the token is good for 12 hours):

TOKEN=${owner.token}
curl ${base_url}/api/v1/operations/record_store.create_collection \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{"name":"notes","member_writes_enabled":true}'

The README goes on from here. Ctrl-C stops everything.
`;
}
