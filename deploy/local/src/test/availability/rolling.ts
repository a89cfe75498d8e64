/**
 * Restarts every process of the platform, one after the other, under a steady load, and tells what its callers noticed:
 * `npm run rolling -- --help`. Callers keep their connections and repeat nothing; a balancer gives each new one to a
 * gateway that is ready.
 */
import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { services } from '@action-platform/contracts';
import { endWith, say } from '../on-a-stack.ts';
import { StackProcess } from '../stack-process.ts';
import { isReady, startBalancer } from './balancer.ts';
import { SteadyLoad } from './steady-load.ts';

const usage = `npm run rolling -- [options]

  --rate 200        requests per second
  --rounds 1        how often everything is restarted
  --replicas 2      of every service; there are two gateways
  --delay 2000      SHUTDOWN_DELAY_MS, in milliseconds
  --platform FOLDER the checkout that is run (default: this one)`;

const { values: options } = parseArgs({
  options: {
    rate: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '1' },
    replicas: { type: 'string', default: '2' },
    delay: { type: 'string', default: '2000' },
    platform: { type: 'string', default: process.cwd() },
    help: { type: 'boolean', default: false },
  },
});

/** How many connections callers keep. */
const CONNECTIONS = 32;
/** How long the load goes on before, between and after restarts, in milliseconds. */
const PAUSE_MS = 1_000;
const POLL_MS = 50;

if (options.help) {
  say(usage);
  process.exit();
}

const stack = new StackProcess(undefined, options.platform);
stack.environment.SHUTDOWN_DELAY_MS = options.delay;
await endWith(stack, async () => {
  say('Starting a platform …');
  const replicas = services.map((service) => `${service}=${options.replicas}`);
  const demo = await stack.start('--replicas', ['gateway=2', ...replicas].join(','));
  const balancer = await startBalancer(demo.gateways);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, scheduling: 'fifo' });
  const load = await SteadyLoad.start({ url: balancer.url, agent, demo, perSecond: Number(options.rate) });
  await delay(PAUSE_MS);
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const service of ['gateway', ...services]) {
      const before = load.count();
      const restarted = await restart(`services/${service}/`, demo.gateways);
      const { answered, failed } = load.since(before);
      const what =
        failed.size === 0 ? '' : `: ${[...failed].map(([how, times]) => `${times} × ${how}`).join(', ')}`;
      say(`${service}: ${restarted} restarted, ${answered} answered, ${sum(failed)} failed${what}`);
    }
  }
  await load.stop();
  const { answered, failed } = load.count();
  say(
    `${answered} answered, ${sum(failed)} failed, ${balancer.refused} connections refused; longest answer ${load.longestMs.toFixed(0)} ms.`,
  );
  agent.destroy();
  await balancer.close();
  return failed.size === 0 && balancer.refused === 0;
});

/** Tells each process of a service to stop, one after the other, and waits for the one that takes its place. */
async function restart(command: string, gateways: readonly string[]): Promise<number> {
  const pids = stack.pids(command);
  for (const pid of pids) {
    const others = new Set(stack.pids(command));
    process.kill(pid, 'SIGTERM');
    let next: number | undefined;
    while (next === undefined || !stack.isReady(next)) {
      await delay(POLL_MS);
      next = stack.pids(command).find((each) => !others.has(each));
    }
    while (!(await Promise.all(gateways.map(isReady))).every(Boolean)) await delay(POLL_MS);
    await delay(PAUSE_MS);
  }
  return pids.length;
}

function sum(counts: ReadonlyMap<unknown, number>): number {
  return counts.values().reduce((total, count) => total + count, 0);
}
