/**
 * `npm run e2e -- cluster --help`: kills, pauses, steps down and partitions the members of a replica set and of a NATS cluster under load.
 * It reports how long callers take to recover, and every anomaly: the suite checks the history of all calls and answers against the
 * stored state at the end.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { localDirectory } from '@action-platform/local';
import { findMongod, findNatsServer } from '@action-platform/toolchain';
import { say } from '../on-a-stack.ts';
import { isInNamespace, runInNamespace } from './environment/in-namespace.ts';
import { runCluster } from './run-cluster.ts';

const usage = `npm run e2e -- cluster [options]

  --only TEXT     faults with this text in their names (default: all)
  --rounds 5      of each
  --clients 8
  --seed NUMBER   repeats the steps of the clients`;

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '5' },
    clients: { type: 'string', default: '8' },
    seed: { type: 'string', default: String(Math.trunc(Math.random() * 2 ** 31)) },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  say(usage);
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
  const { only, rounds, clients, seed } = options;
  const { history, anomalies, missed } = await runCluster({
    only,
    rounds: Number(rounds),
    clients: Number(clients),
    seed: Number(seed),
  });
  if (anomalies.length > 0) {
    const folder = join(localDirectory(process.env).root, 'cluster');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, `history-${seed}.json`);
    writeFileSync(file, JSON.stringify(history), { mode: 0o600 });
    say(`The history has anomalies (seed ${seed}, ${file}):\n${anomalies.slice(0, 20).join('\n')}`);
  }
  return anomalies.length + missed === 0 ? 0 : 1;
}
