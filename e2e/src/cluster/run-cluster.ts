import { setTimeout as delay } from 'node:timers/promises';
import { startBalancer, untilWell } from '@action-platform/testing';
import { DeployedPlatform } from '../availability/deployed-platform.ts';
import { say } from '../on-a-stack.ts';
import { type Fault, faultsOf } from './environment/faults.ts';
import { Network } from './environment/network.ts';
import { ClusterServers } from './environment/servers.ts';
import { check } from './history/check.ts';
import type { History } from './history/history.ts';
import { Client } from './load/client.ts';
import { makeWorld } from './load/make-world.ts';
import { concludeHistory } from './load/observe.ts';

/** The longest duration of a fault, in milliseconds: it ends then, recovered or not. */
const TIMEOUT_MS = 40_000;
const POLL_MS = 200;

interface Options {
  /** A text in the names of the faults. */
  readonly only: string;
  /** How often each fault happens. */
  readonly rounds: number;
  readonly clients: number;
  readonly seed: number;
}

/** The result of a run. */
interface Findings {
  readonly history: History;
  /** The violations of a promise. */
  readonly anomalies: readonly string[];
  /** How many faults had a recovery beyond the limit. */
  readonly missed: number;
}

/** Starts a platform on clusters, causes faults under load, and checks the history of its clients. */
export async function runCluster(options: Options): Promise<Findings> {
  const { seed } = options;
  say(`Seed ${seed}. Starting two replicas of everything on three mongods and three nats-servers …`);
  const network = new Network();
  const servers = new ClusterServers();
  let platform: DeployedPlatform | undefined;
  try {
    await servers.start(network);
    platform = await DeployedPlatform.start(servers);
    const balancer = await startBalancer(platform.gateways);
    const world = await makeWorld(platform, balancer.url);
    const clients = Array.from({ length: options.clients }, (_, number) => new Client(number, seed, world));
    const faults = faultsOf(servers, network).filter(({ name }) => name.includes(options.only));
    let missed = 0;
    for (const fault of faults) {
      const rounds: Recovery[] = [];
      for (let round = 0; round < options.rounds; round++) {
        while (!(await servers.isReplicated())) await delay(POLL_MS);
        await untilWell(platform.gateways);
        rounds.push(await endure(fault, round, clients));
      }
      const worst = Math.max(...rounds.map(({ last }) => last));
      if (worst > fault.withinSeconds) missed++;
      say(reportOf(fault, rounds, worst));
    }
    await untilWell(platform.gateways);
    await Promise.all(clients.map((client) => client.stop()));
    const history = await concludeHistory(world, platform, servers.folder);
    await balancer.close();
    const anomalies = check(history);
    say(summary(history, anomalies));
    return { history, anomalies, missed };
  } finally {
    network.heal();
    await platform?.stop();
    await servers.stop();
  }
}

/** The seconds from the fault to the recovery of the first client, and of the last. */
interface Recovery {
  readonly first: number;
  readonly last: number;
}

async function endure(fault: Fault, round: number, clients: readonly Client[]): Promise<Recovery> {
  const end = await fault.happen(round);
  const since = performance.now();
  const recoveries = clients.map((client) => client.recovery.after(since));
  const all = Promise.all(recoveries);
  await Promise.race([all, delay(TIMEOUT_MS)]);
  await end();
  const seconds = await all;
  return { first: Math.min(...seconds), last: Math.max(...seconds) };
}

function reportOf({ name, withinSeconds }: Fault, rounds: readonly Recovery[], worst: number): string {
  const seconds = (which: keyof Recovery) => rounds.map((round) => round[which].toFixed(1)).join(' ');
  const verdict = worst > withinSeconds ? `more than ${withinSeconds}` : `at most ${withinSeconds}`;
  return `${name.padEnd(34)} all callers after ${seconds('last')} s (worst ${worst.toFixed(1)}, ${verdict}); the first after ${seconds('first')} s`;
}

function summary({ entries }: History, anomalies: readonly string[]): string {
  const count = (is: string) => entries.filter(({ outcome }) => outcome.is === is).length;
  return `${entries.length} actions: ${count('done')} done, ${count('refused')} refused, ${count('unknown')} unknown, then settled; ${anomalies.length} anomalies.`;
}
