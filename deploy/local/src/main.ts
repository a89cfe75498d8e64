import { prepareDemo } from './demo/demo-workspace.ts';
import { greeting } from './demo/greeting.ts';
import { localDirectory, makeDirectories } from './local-directory.ts';
import { readOptions } from './options.ts';
import { lock } from './stack/lock.ts';
import { untilReady } from './stack/ready.ts';
import { createStack } from './stack/stack.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

const asked = Promise.withResolvers<void>();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => asked.resolve());

try {
  const options = readOptions(process.argv.slice(2), process.env);
  const directory = localDirectory(process.env);
  makeDirectories(directory);
  lock(directory);
  const stack = createStack(options, directory, process.env, say);
  const serve = async () => {
    const gateways = await stack.start();
    await untilReady(gateways, directory.logs);
    const demo = await prepareDemo(directory, gateways);
    say(greeting(demo, directory.demoFile, (performance.now() / 1000).toFixed(1)));
    await asked.promise;
  };
  try {
    await Promise.race([serve(), asked.promise]);
  } finally {
    say('Stopping …');
    await stack.stop();
  }
  say('Stopped. Everything is kept for the next start.');
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
