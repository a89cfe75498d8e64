/**
 * `npm run e2e -- cluster --help`: kills, pauses, steps down and parts the members of a replica set and of a NATS cluster under load. It
 * tells after how long callers have what they want again, and whether anything happened that must not. For that, what clients did and were
 * told is checked as a history against what is stored in the end.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { localDirectory } from '@action-platform/local';
import { findMongod, findNatsServer } from '@action-platform/toolchain';
import { isInNamespace, runInNamespace } from './environment/in-namespace.ts';
import { readOptions } from './options.ts';
import { runCluster } from './run-cluster.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

const options = readOptions(process.argv.slice(2));
if (typeof options === 'string') {
  say(options);
  process.exit();
}
try {
  process.exitCode = isInNamespace ? await inside() : await outside();
} catch (error) {
  say(`The cluster was not tried: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
process.exit();

async function outside(): Promise<number> {
  // From inside there is no way to fetch them.
  await Promise.all([findMongod(), findNatsServer()]);
  return await runInNamespace();
}

async function inside(): Promise<number> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  if (typeof options === 'string') return 0;
  const { history, anomalies, missed } = await runCluster(options, say);
  if (anomalies.length > 0) {
    const folder = join(localDirectory(process.env).root, 'cluster');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, `history-${options.seed}.json`);
    writeFileSync(file, JSON.stringify(history), { mode: 0o600 });
    say(`This cannot have happened (seed ${options.seed}, ${file}):\n${anomalies.slice(0, 20).join('\n')}`);
  }
  return anomalies.length + missed === 0 ? 0 : 1;
}
