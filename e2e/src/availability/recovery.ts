/**
 * Kills and freezes parts of the platform and reports how long its callers take to recover:
 * `npm run e2e -- recovery --help`. Callers keep their connections, and repeat failed calls with the same key.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startBalancer, untilWell } from '@action-platform/testing';
import { endWith, say } from '../on-a-stack.ts';
import { StackProcess } from '../stack-process.ts';
import { RetryingClient } from './retrying-client.ts';

/** The processes to kill or freeze, one of each, by their command lines. */
const victims = {
  gateway: 'services/gateway/',
  grants: 'services/grants/',
  'record-store': 'services/record-store/',
  mongod: 'mongod',
  nats: 'nats-server',
} as const;
const faults = (['kill', 'freeze'] as const).flatMap((how) =>
  (Object.keys(victims) as (keyof typeof victims)[]).map((victim) => ({
    name: `${how}-${victim}`,
    how,
    command: victims[victim],
  })),
);

const usage = `npm run e2e -- recovery [options]

  --only NAMES        of ${faults.map(({ name }) => name).join(', ')}
  --rounds 5          of each
  --clients 32
  --freeze 5          how long it lasts, in seconds`;

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '5' },
    clients: { type: 'string', default: '32' },
    freeze: { type: 'string', default: '5' },
    help: { type: 'boolean', default: false },
  },
});

/** Two replicas of the parts that every call needs; the supervisor of the local stack restarts processes that ended. */
const REPLICAS = 'gateway=2,grants=2,record-store=2';
const POLL_MS = 50;

if (options.help) {
  say(usage);
  process.exit();
}

const stack = new StackProcess();
await endWith(stack, async () => {
  say('Starting a platform …');
  const demo = await stack.start('--replicas', REPLICAS);
  const balancer = await startBalancer(demo.gateways);
  const clients = Array.from(
    { length: Number(options.clients) },
    (_, index) => new RetryingClient(balancer.url, demo, `client-${index}`),
  );
  // Before its first call a client makes things that it uses, without a repetition.
  await Promise.all(clients.map(({ recovery }) => recovery.after(0)));
  const only = options.only.split(',');
  for (const { name, how, command } of faults) {
    if (options.only !== '' && !only.includes(name)) continue;
    const seconds: number[] = [];
    for (let round = 0; round < Number(options.rounds); round++) {
      await untilWell(demo.gateways);
      seconds.push(...(await injectFault(how, command, clients)));
    }
    const ordered = seconds.toSorted((one, other) => one - other);
    const [median, longest] = [ordered[Math.floor(ordered.length / 2)]!, ordered.at(-1)!];
    say(`${name.padEnd(20)} median ${median.toFixed(1)} s, longest ${longest.toFixed(1)} s`);
  }
  await Promise.all(clients.map((client) => client.stop()));
  await balancer.close();
  return true;
});

/** Kills or freezes a process. @returns the seconds to the recovery of each client */
async function injectFault(
  how: 'kill' | 'freeze',
  command: string,
  clients: readonly RetryingClient[],
): Promise<number[]> {
  const [pid] = stack.pids(command);
  const since = performance.now();
  process.kill(pid!, how === 'kill' ? 'SIGKILL' : 'SIGSTOP');
  const recovered = Promise.all(clients.map((client) => client.recovery.after(since)));
  if (how === 'freeze') {
    await delay(Number(options.freeze) * 1000);
    process.kill(pid!, 'SIGCONT');
  } else {
    while (stack.pids(command).length === 0 || stack.pids(command).includes(pid!)) await delay(POLL_MS);
  }
  return await recovered;
}
