/**
 * `npm run e2e -- cluster --help`: kills, pauses, steps down and partitions the members of a replica set and of a NATS cluster under load.
 * It reports how long callers take to recover, and every anomaly: the suite checks the history of all calls and answers against the
 * stored state at the end.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { localDirectory } from '@action-platform/local';
import { findMongod, findNatsServer } from '@action-platform/toolchain';
import { say } from '../on-a-stack.ts';
import { isInNamespace, runInNamespace } from './environment/in-namespace.ts';
import { readOptions } from './options.ts';
import { runCluster } from './run-cluster.ts';

const options = readOptions(process.argv.slice(2));
if (typeof options === 'string') {
  say(options);
  process.exit();
}
try {
  process.exitCode = isInNamespace ? await inside() : await outside();
} catch (error) {
  say(`The suite could not run: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
process.exit();

async function outside(): Promise<number> {
  // The namespace has no network to download them.
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
    say(`The history has anomalies (seed ${options.seed}, ${file}):\n${anomalies.slice(0, 20).join('\n')}`);
  }
  return anomalies.length + missed === 0 ? 0 : 1;
}
